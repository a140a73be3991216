package io.ojs.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

import io.ojs.internal.log.SafeLogger;
import org.slf4j.Logger;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Executes PostgreSQL statements that are transactions by themselves. Each costs one
 * round trip; a transaction costs one more for its commit.
 */
public final class AutoCommit {

	/** SQL state of a write to a read-only database, such as a replica. */
	private static final String READ_ONLY = "25006";

	/**
	 * How long a refusal counts. It can pass: a database that is about to be replaced is
	 * read-only, too.
	 */
	public static final Duration FOR_A_WHILE = Duration.ofMinutes(1);

	private static final Logger logger = SafeLogger.of(AutoCommit.class);

	private final StoreDatabase database;

	/**
	 * Until when every statement is part of a transaction, as {@link System#nanoTime()}.
	 */
	private volatile long transactionsUntil = System.nanoTime();

	public AutoCommit(StoreDatabase database) {
		this.database = database;
	}

	/**
	 * Whether a statement can be a transaction by itself: the thread has no transaction,
	 * transactions have no default timeout, and no refusal counts. Does not query the
	 * database: the answer is {@code false} until another call has found the dialect to
	 * be PostgreSQL.
	 */
	public boolean isPossible() {
		return System.nanoTime() - this.transactionsUntil >= 0
				&& !TransactionSynchronizationManager.isActualTransactionActive()
				&& !TransactionSynchronizationManager.isSynchronizationActive() && !this.database.hasTimeout()
				&& this.database.isKnownAs(Dialect.POSTGRESQL);
	}

	/**
	 * Executes a statement, if that {@linkplain #isPossible() is possible}.
	 * @return its result; empty if nothing was executed and the caller needs a
	 * transaction
	 */
	public <T> Optional<T> execute(Statement<T> statement) {
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
				// A routing DataSource may lead only transactions to the writable server.
				transactionsOnly("the database of the job store may only be read outside of transactions");
				return Optional.empty();
			}
			throw ex;
		}
	}

	/** Whether a statement failed because the database is read-only. */
	public static boolean isReadOnly(RuntimeException failure) {
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
	 * @param <T> the type of its result
	 */
	@FunctionalInterface
	public interface Statement<T> {

		T execute(Connection connection) throws SQLException;

	}

}
