package io.ojs.test.database;

import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * The server of this JVM. Static on purpose: it takes a second or two to start, so all
 * test classes and contexts of a JVM share one.
 */
final class SharedServer {

	/** Nobody kills this one, so nothing has to be on disk. */
	private static final String[] CHEAP = { "fsync = off", "synchronous_commit = off", "full_page_writes = off" };

	private static final ReentrantLock lock = new ReentrantLock();

	private static @Nullable PostgresServer server;

	private static @Nullable DatabaseUnavailableException failure;

	private SharedServer() {
	}

	static PostgresServer get() {
		lock.lock();
		try {
			if (failure != null) {
				// A hundred test classes fail at once rather than after a hundred
				// attempts.
				throw new DatabaseUnavailableException(failure.getMessage(), failure);
			}
			if (server == null) {
				server = PostgresServer.startShared(CHEAP);
			}
			return server;
		}
		catch (DatabaseUnavailableException ex) {
			failure = (failure != null) ? failure : ex;
			throw ex;
		}
		finally {
			lock.unlock();
		}
	}

}
