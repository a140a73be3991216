package io.ojs.test.internal.database;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.ojs.test.internal.process.LoopbackPorts;
import io.ojs.test.internal.process.SupervisedProcess;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL server as a child process, on the loopback address, with its files in a
 * temporary folder. Neither outlives the JVM, even if the JVM is killed. The class path
 * must contain PostgreSQL's JDBC driver and the archive with PostgreSQL's programs.
 * <p>
 * Use {@link #shared()}: each test takes a {@link #newDatabase() database} of its own
 * from it. A test that stops, crashes or freezes its server {@link #start starts} one for
 * itself. Port, credentials and data stay the same when the server restarts, so
 * {@link #kill()} then {@link #restart()} is a server's crash and recovery.
 */
public final class PostgresServer implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(PostgresServer.class);

	private static final Duration START_TIMEOUT = Duration.ofMinutes(1);

	private static final Duration STOP_TIMEOUT = Duration.ofMinutes(1);

	private static final Duration KILL_TIMEOUT = Duration.ofSeconds(15);

	private static final int ATTEMPTS = 3;

	private final ReentrantLock lock = new ReentrantLock();

	private final AtomicInteger databases = new AtomicInteger();

	private final PostgresFiles files;

	private final PostgresAddress address;

	private final boolean shared;

	private volatile @Nullable ServerRun run;

	private volatile String version = "";

	private boolean closed;

	private PostgresServer(PostgresFiles files, int port, boolean shared) {
		this.files = files;
		this.address = new PostgresAddress(port, PostgresFiles.USERNAME, files.password());
		this.shared = shared;
	}

	/**
	 * Returns this JVM's server, which the first call starts. It is fast because a commit
	 * does not wait for the disk; so it must not be killed. It ends with the JVM, after
	 * the JVM's shutdown hooks.
	 * @return the server, always the same
	 * @throws DatabaseUnavailableException if there is none; later calls fail at once,
	 * with the same message
	 */
	public static PostgresServer shared() {
		return SharedServer.get();
	}

	/**
	 * Starts a server for one test. All committed data is on disk ({@code fsync} and
	 * {@code synchronous_commit} are on). The server runs when this method returns.
	 * @param configuration further lines for {@code postgresql.conf}, such as
	 * {@code max_connections = 20}, which override those of this class
	 * @return the running server, to be closed by the caller
	 * @throws DatabaseUnavailableException if there is no PostgreSQL to run, or if it
	 * does not start
	 */
	public static PostgresServer start(String... configuration) {
		return start(List.of(configuration), false);
	}

	static PostgresServer startShared(String... configuration) {
		return start(List.of(configuration), true);
	}

	/**
	 * Starts a server. Another process can take a port after it was chosen and before the
	 * server binds it; the server then ends, and this method tries again with another
	 * port.
	 */
	private static PostgresServer start(List<String> configuration, boolean shared) {
		Path bin = PostgresBinaries.onThisHost().bin();
		for (int attempt = 1;; attempt++) {
			int port = LoopbackPorts.free(1)[0];
			PostgresServer server = new PostgresServer(new PostgresFiles(bin, port, configuration), port, shared);
			try {
				server.launch();
				return server;
			}
			catch (RuntimeException ex) {
				server.end();
				if (attempt == ATTEMPTS || LoopbackPorts.isFree(port)) {
					throw ex;
				}
				logger.info("Port {} was taken meanwhile, trying another", port);
			}
		}
	}

	/**
	 * Creates an empty database in which the user has all rights.
	 * @return the database, to be closed when it is no longer needed
	 * @throws IllegalStateException if the server does not run
	 */
	public PostgresDatabase newDatabase() {
		return newDatabase("template0");
	}

	/**
	 * Creates a copy of a database, which is quicker than to run the scripts again that
	 * made its tables.
	 * @param template a database of this server. PostgreSQL waits for a few seconds until
	 * no session uses it
	 * @return the copy, to be closed when it is no longer needed
	 * @throws IllegalStateException if the server does not run, or if a session still
	 * uses the template
	 */
	public PostgresDatabase newDatabase(PostgresDatabase template) {
		return newDatabase(template.name());
	}

	private PostgresDatabase newDatabase(String template) {
		running();
		String name = "test_" + this.databases.incrementAndGet();
		this.address.execute("CREATE DATABASE " + name + " TEMPLATE " + template);
		return new PostgresDatabase(name, this.address.url(name), this);
	}

	/**
	 * Returns the host, which is a loopback address.
	 * @return the host
	 */
	public String host() {
		return PostgresAddress.HOST;
	}

	/**
	 * Returns the port, which stays the same when the server restarts.
	 * @return the port
	 */
	public int port() {
		return this.address.port();
	}

	/**
	 * Returns the user, who has all rights.
	 * @return the user's name
	 */
	public String username() {
		return this.address.username();
	}

	/**
	 * Returns the user's password.
	 * @return the password
	 */
	public String password() {
		return this.address.password();
	}

	/**
	 * Returns the version that the server reports, such as {@code 17.11}.
	 * @return the version
	 */
	public String version() {
		return this.version;
	}

	/**
	 * Starts the server again with the data that it had, on the same port. A running
	 * server is {@link #stop() stopped} first.
	 * @throws IllegalStateException if the server is closed, or shared
	 * @throws DatabaseUnavailableException if the server does not start
	 */
	public void restart() {
		own();
		this.lock.lock();
		try {
			if (this.closed) {
				throw new IllegalStateException(this + " is closed");
			}
			stop();
			launch();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Shuts the server down in order, and ends the connections to it. Does nothing if the
	 * server is not running.
	 * @throws IllegalStateException if the server is shared
	 */
	public void stop() {
		own();
		end((server) -> {
			server.signal("INT");
			// A frozen process receives the signal only after it continues.
			server.signalAll("CONT");
		}, STOP_TIMEOUT);
	}

	/**
	 * Crashes the server: SIGKILL to all its processes. Does nothing if the server is not
	 * running.
	 * @throws IllegalStateException if the server is shared
	 */
	public void kill() {
		own();
		end((server) -> server.signalAll("KILL"), KILL_TIMEOUT);
	}

	/**
	 * Freezes the server, with SIGSTOP to all its processes: connections stay open, the
	 * operating system accepts new ones, and the server answers nothing.
	 * @throws IllegalStateException if the server is not running, or shared
	 */
	public void pause() {
		signal("STOP");
	}

	/**
	 * Continues a frozen server, with SIGCONT.
	 * @throws IllegalStateException if the server is not running, or shared
	 */
	public void resume() {
		signal("CONT");
	}

	/**
	 * Tells whether the server's process runs; a frozen one does.
	 * @return whether the server is running
	 */
	public boolean isRunning() {
		ServerRun current = this.run;
		return current != null && current.isAlive();
	}

	/**
	 * Ends the server at once and deletes its files.
	 * @throws IllegalStateException if the server is shared
	 */
	@Override
	public void close() {
		own();
		end();
	}

	Path folder() {
		return this.files.folder();
	}

	List<ProcessHandle> processes() {
		return running().processes();
	}

	void drop(String database) {
		if (isRunning()) {
			this.address.execute("DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
		}
	}

	@Override
	public String toString() {
		return "PostgreSQL " + this.version + " on " + host() + ":" + port();
	}

	private void launch() {
		ServerRun started = new ServerRun(this.files);
		this.run = started;
		this.version = started.awaitReady(this.address, START_TIMEOUT);
	}

	private void end() {
		this.lock.lock();
		try {
			if (!this.closed) {
				this.closed = true;
				end(SupervisedProcess::abandon, KILL_TIMEOUT);
				this.files.delete();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void end(Consumer<SupervisedProcess> ending, Duration timeout) {
		this.lock.lock();
		try {
			ServerRun current = this.run;
			if (current != null) {
				current.end(ending, timeout);
				this.run = null;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void signal(String name) {
		own();
		this.lock.lock();
		try {
			running().signal(name);
		}
		finally {
			this.lock.unlock();
		}
	}

	private ServerRun running() {
		ServerRun current = this.run;
		if (current == null || !current.isAlive()) {
			throw new IllegalStateException(this + " is not running; restart() it first");
		}
		return current;
	}

	private void own() {
		if (this.shared) {
			throw new IllegalStateException(this
					+ " is shared by all tests of this JVM; start() one of your own to stop, crash, freeze or close it");
		}
	}

}
