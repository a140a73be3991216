package io.ojs.test.internal.database;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.ojs.test.internal.process.SupervisedProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a server, from start to end: the postmaster, and the processes that it
 * starts for connections and for its own tasks.
 */
final class ServerRun {

	private static final Logger logger = LoggerFactory.getLogger(ServerRun.class);

	private static final Duration POLL = Duration.ofMillis(20);

	private final PostgresFiles files;

	private final SupervisedProcess postmaster;

	ServerRun(PostgresFiles files) {
		this.files = files;
		this.postmaster = new SupervisedProcess(files.server());
	}

	/**
	 * Waits until users can log in.
	 * @return the server's version
	 */
	String awaitReady(PostgresAddress address, Duration timeout) {
		address.requireDriver();
		long deadline = System.nanoTime() + timeout.toNanos();
		while (System.nanoTime() < deadline) {
			try {
				return address.askVersion();
			}
			catch (SQLException ex) {
				logger.trace("{} is not ready", address, ex);
			}
			if (this.postmaster.awaitEnd(POLL)) {
				throw new DatabaseUnavailableException(
						"PostgreSQL ended while it was starting on port " + address.port() + this.files.log());
			}
		}
		throw new DatabaseUnavailableException("PostgreSQL accepted no connection on port " + address.port()
				+ " within " + timeout + this.files.log());
	}

	boolean isAlive() {
		return this.postmaster.isAlive();
	}

	List<ProcessHandle> processes() {
		return this.postmaster.processes();
	}

	void signal(String name) {
		this.postmaster.signalAll(name);
	}

	/**
	 * Ends the server, and returns when all its processes have ended: a new server does
	 * not start on data that another one uses.
	 */
	void end(Consumer<SupervisedProcess> ending, Duration timeout) {
		long deadline = System.nanoTime() + timeout.toNanos();
		List<ProcessHandle> processes = this.postmaster.processes();
		if (isAlive()) {
			ending.accept(this.postmaster);
		}
		boolean ended = this.postmaster.awaitEnd(timeout);
		while (processes.stream().anyMatch(ServerRun::runs) && System.nanoTime() < deadline) {
			LockSupport.parkNanos(POLL.toNanos());
		}
		if (!ended || processes.stream().anyMatch(ServerRun::runs)) {
			throw new IllegalStateException("PostgreSQL did not end within " + timeout + this.files.log());
		}
	}

	static boolean runs(ProcessHandle process) {
		// A process that has ended, but whose parent has not collected its status, has no
		// command.
		return process.isAlive() && process.info().command().isPresent();
	}

}
