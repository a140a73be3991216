package io.ojs.jdbc;

import java.sql.SQLException;
import java.util.Set;

import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.TransactionTimedOutException;

/**
 * Tells failures that pass from those that do not.
 */
final class StoreFailures {

	/**
	 * Connection, transaction rolled back, insufficient resources, operator intervention,
	 * system error (SQL:2023 and PostgreSQL), general error with a timeout.
	 */
	private static final Set<String> PASSING_CLASSES = Set.of("08", "40", "53", "57", "58");

	/**
	 * A lock not free in time, a server that became read-only when another took over; of
	 * H2: lock timeout, database closed, closing or broken off.
	 */
	private static final Set<String> PASSING_STATES = Set.of("55P03", "25006", "HYT00", "HYT01", "90013", "90067",
			"90098", "90121", "90131");

	private StoreFailures() {
	}

	static RuntimeException translate(String what, RuntimeException failure) {
		if (!(failure instanceof DataAccessException) && !(failure instanceof TransactionException)) {
			return failure;
		}
		String message = "Could not %s: %s".formatted(what, failure.getMessage());
		return passes(failure) ? new StoreUnavailableException(message, failure) : new StoreException(message, failure);
	}

	private static boolean passes(RuntimeException failure) {
		if (failure instanceof TransientDataAccessException || failure instanceof RecoverableDataAccessException
				|| failure instanceof DataAccessResourceFailureException
				|| failure instanceof CannotCreateTransactionException || failure instanceof TransactionSystemException
				|| failure instanceof TransactionTimedOutException) {
			return true;
		}
		for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException sql && sql.getSQLState() != null && passes(sql.getSQLState())) {
				return true;
			}
		}
		return false;
	}

	private static boolean passes(String state) {
		return PASSING_STATES.contains(state)
				|| (state.length() == 5 && PASSING_CLASSES.contains(state.substring(0, 2)));
	}

}
