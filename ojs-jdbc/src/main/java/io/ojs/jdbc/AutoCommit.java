package io.ojs.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

import io.ojs.log.SafeLogger;
import org.slf4j.Logger;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Executes statements of PostgreSQL that are transactions by themselves: each costs one
 * round trip, where a transaction costs one more for its commit.
 */
final class AutoCommit {

	/** What a database answers that may not be written, such as a copy of another. */
	private static final String READ_ONLY = "25006";

	/** It may be for now only: a database that is about to be replaced says so too. */
	static final Duration FOR_A_WHILE = Duration.ofMinutes(1);

	private static final Logger logger = SafeLogger.of(AutoCommit.class);

	private final StoreDatabase database;

	/** Until when all is done in transactions; by the JVM's clock. */
	private volatile long transactionsUntil = System.nanoTime();

	AutoCommit(StoreDatabase database) {
		this.database = database;
	}

	/**
	 * Whether a statement would be a transaction by itself, and may take the time that it
	 * takes. Does not ask the database: before something else has, it is not known to be
	 * PostgreSQL.
	 */
	boolean isPossible() {
		return System.nanoTime() - this.transactionsUntil >= 0
				&& !TransactionSynchronizationManager.isActualTransactionActive()
				&& !TransactionSynchronizationManager.isSynchronizationActive() && !this.database.hasTimeout()
				&& this.database.isKnownAs(Dialect.POSTGRESQL);
	}

	/**
	 * Executes a statement, if that {@linkplain #isPossible() is possible}.
	 * @param statement executes it
	 * @return what it returned; empty if nothing was done, and a transaction is needed
	 */
	<T> Optional<T> execute(Statement<T> statement) {
		if (!isPossible()) {
			return Optional.empty();
		}
		try {
			T result = this.database.jdbc().execute((ConnectionCallback<T>) (connection) -> {
				if (!connection.getAutoCommit()) {
					transactionsOnly("the connections of the job store do not commit by themselves");
					return null;
				}
				return statement.execute(connection);
			});
			return Optional.ofNullable(result);
		}
		catch (DataAccessException ex) {
			if (isReadOnly(ex)) {
				// Perhaps what is written goes elsewhere, and is known by its
				// transaction.
				transactionsOnly("the database of the job store may only be read outside of transactions");
				return Optional.empty();
			}
			throw ex;
		}
	}

	/** Whether a database may not be written outside of transactions. */
	static boolean isReadOnly(RuntimeException failure) {
		Throwable root = NestedExceptionUtils.getMostSpecificCause(failure);
		return root instanceof SQLException cause && READ_ONLY.equals(cause.getSQLState());
	}

	private void transactionsOnly(String why) {
		logger.debug("All statements are part of transactions for {}, since {}", FOR_A_WHILE, why);
		this.transactionsUntil = System.nanoTime() + FOR_A_WHILE.toNanos();
	}

	/**
	 * Executes one statement.
	 *
	 * @param <T> what it returns
	 */
	@FunctionalInterface
	interface Statement<T> {

		T execute(Connection connection) throws SQLException;

	}

}
