package io.ojs.test.internal.database;

import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * The server of this JVM. It is static because a server takes a second or two to start:
 * all test classes and contexts of a JVM share one.
 */
final class SharedServer {

	/** No test kills this server, so its data need not be on disk. */
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
				// Fails further test classes at once, without an attempt for each of
				// them.
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
