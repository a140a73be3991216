package io.ojs.jdbc.internal;

import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;

/**
 * Translates failures of the database, and distinguishes those that pass from those that
 * do not.
 */
public final class StoreFailures {

	/**
	 * Classes of SQL states that pass: connection, transaction rolled back, insufficient
	 * resources, operator intervention, system error (SQL:2023 and PostgreSQL).
	 */
	private static final Set<String> PASSING_CLASSES = Set.of("08", "40", "53", "57", "58");

	/**
	 * Other SQL states that pass: a lock that was not free in time, a server that became
	 * read-only when another took over; of H2: lock timeout, connection broken,
	 * concurrent update, and database not found, closed or shutting down.
	 */
	private static final Set<String> PASSING_STATES = Set.of("55P03", "25006", "HYT00", "HYT01", "90013", "90067",
			"90098", "90121", "90131");

	/**
	 * Classes of SQL states with which a server reports that it has undone the statement
	 * or the transaction: data, constraint, state of the transaction, rights, rollback,
	 * syntax, resources, limits, prerequisites, an exception of a trigger.
	 */
	private static final Set<String> UNDONE_CLASSES = Set.of("0A", "22", "23", "25", "28", "40", "42", "44", "53", "54",
			"55", "P0");

	/**
	 * Other SQL states with that meaning: a cancelled statement, and on H2 a lock
	 * timeout.
	 */
	private static final Set<String> UNDONE_STATES = Set.of("57014", "HYT00");

	/**
	 * SQL states of these classes without that meaning: a statement whose outcome is
	 * unknown, and a driver without memory for the answer.
	 */
	private static final Set<String> NOT_UNDONE = Set.of("40003", "53200");

	/** SQL states of a missing table, of PostgreSQL and of H2. */
	private static final Set<String> MISSING_TABLE = Set.of("42P01", "42S02", "42S03", "42S04");

	/** SQL states of a missing column, of PostgreSQL and of H2. */
	private static final Set<String> MISSING_COLUMN = Set.of("42703", "42S22");

	private static final String MIGRATE = "set ojs.store.initialize-schema=always, or run the scripts of "
			+ "io/ojs/jdbc/migration that table ojs_schema does not name.";

	private StoreFailures() {
	}

	/**
	 * Translates a failure for callers.
	 * @param committing whether a commit, or a statement that commits by itself, has been
	 * sent: then the work may be done unless the database says that it is not
	 */
	public static RuntimeException translate(String what, RuntimeException failure, boolean committing) {
		if (!(failure instanceof DataAccessException) && !(failure instanceof TransactionException)) {
			return failure;
		}
		String message = "Could not %s: %s".formatted(what, failure.getMessage());
		boolean unknown = committing && !isAnswered(failure);
		String otherVersion = mend(failure);
		if (unknown || passes(failure) || !otherVersion.isEmpty()) {
			return new StoreUnavailableException(message + otherVersion, failure, unknown);
		}
		return new StoreException(message, failure);
	}

	/**
	 * What to do about tables of another version. Until then the store is not there: a
	 * worker that took it for an invalid job would discard all jobs, after a migration by
	 * a newer process.
	 */
	private static String mend(RuntimeException failure) {
		if (states(failure).anyMatch(MISSING_TABLE::contains)) {
			return ". A table of the job store is missing: " + MIGRATE;
		}
		if (states(failure).anyMatch(MISSING_COLUMN::contains)) {
			return ". The tables of the job store are those of another version: " + MIGRATE
					+ " If it names all, the tables were changed by hand: give them what the scripts have, or if no "
					+ "job in them is needed, drop all whose names begin with ojs_ and run the scripts again.";
		}
		return "";
	}

	public static boolean isMissingTable(SQLException failure) {
		return MISSING_TABLE.contains(String.valueOf(failure.getSQLState()));
	}

	/** Whether the database has said that it did not do the work, or was not asked. */
	private static boolean isAnswered(RuntimeException failure) {
		if (failure instanceof CannotGetJdbcConnectionException || failure instanceof CannotCreateTransactionException
				|| failure instanceof UnexpectedRollbackException) {
			return true;
		}
		List<String> states = states(failure).toList();
		return !states.isEmpty() && states.stream().allMatch(StoreFailures::isUndone);
	}

	private static boolean isUndone(String state) {
		return UNDONE_STATES.contains(state) || (state.length() == 5 && UNDONE_CLASSES.contains(state.substring(0, 2))
				&& !NOT_UNDONE.contains(state));
	}

	private static boolean passes(RuntimeException failure) {
		if (failure instanceof TransientDataAccessException || failure instanceof RecoverableDataAccessException
				|| failure instanceof DataAccessResourceFailureException
				|| failure instanceof CannotCreateTransactionException || failure instanceof TransactionSystemException
				|| failure instanceof TransactionTimedOutException) {
			return true;
		}
		return states(failure).anyMatch(StoreFailures::passes);
	}

	private static Stream<String> states(RuntimeException failure) {
		return Stream.iterate(failure.getCause(), Objects::nonNull, Throwable::getCause)
			.filter(SQLException.class::isInstance)
			.map((cause) -> ((SQLException) cause).getSQLState())
			.filter(Objects::nonNull);
	}

	private static boolean passes(String state) {
		return PASSING_STATES.contains(state)
				|| (state.length() == 5 && PASSING_CLASSES.contains(state.substring(0, 2)));
	}

}
