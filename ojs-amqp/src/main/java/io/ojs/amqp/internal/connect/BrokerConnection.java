package io.ojs.amqp.internal.connect;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import com.rabbitmq.client.ShutdownSignalException;
import io.ojs.amqp.ConnectionEvent;
import io.ojs.internal.thread.Threads;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpConnectException;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionListener;

/**
 * Keeps one connection of a connection factory open. When the connection is lost, one
 * thread reconnects, with growing pauses, and all consumers and callers wait for that
 * thread. So the broker sees one attempt at a time, however many of them there are (AMQP
 * binding §11.3).
 *
 * <p>
 * A caller that needs the connection now can cause an earlier attempt, but not within
 * {@link #LEAST_PAUSE} of the last one. So a caller notices within about a second that
 * the broker is back, and callers do not flood a broker that is down.
 */
public final class BrokerConnection implements ConnectionListener, AutoCloseable {

	/** The shortest time between an attempt and one that a caller causes. */
	public static final Duration LEAST_PAUSE = Duration.ofSeconds(1);

	private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	private final String name;

	private final ConnectionFactory connectionFactory;

	private final ReconnectBackoff backoff;

	private final Pacing pacing;

	private final ConnectionEvents events;

	private final Clock clock;

	private final Connector connector;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	/** Callers that wait without blocking a thread. */
	private final Set<CompletableFuture<Void>> waiters = ConcurrentHashMap.newKeySet();

	private volatile @Nullable Connection connection;

	/**
	 * The client's connection. A reset of the factory removes it from
	 * {@link #connection}, but only it knows why it was closed.
	 */
	private com.rabbitmq.client.@Nullable Connection delegate;

	/** Whether the preparations are done, so that other threads may use it. */
	private volatile boolean ready;

	private volatile boolean closed;

	private final Alarm alarm;

	/** Whether a thread is opening the connection. */
	private boolean connecting;

	/** Whether the very first attempt has ended. */
	private volatile boolean once;

	private volatile long downSince = System.nanoTime();

	private @Nullable Instant since;

	private long reconnections;

	private volatile @Nullable String lastFailure;

	/**
	 * Creates the connection without opening it. The first caller that needs it opens it.
	 * @param name its name: {@code consuming} or {@code publishing}
	 */
	public BrokerConnection(String name, ConnectionFactory connectionFactory, ReconnectBackoff backoff,
			ConnectionEvents events, Clock clock) {
		this.name = name;
		this.connectionFactory = connectionFactory;
		this.backoff = backoff;
		this.pacing = new Pacing(backoff, LEAST_PAUSE);
		this.connector = new Connector(name, connectionFactory, this.pacing, events);
		this.alarm = new Alarm(name, events, this::wake, clock);
		this.events = events;
		this.clock = clock;
		connectionFactory.addConnectionListener(this);
	}

	/**
	 * Registers an action that runs on every new connection before any other thread uses
	 * it.
	 * @param preparation the action; a failure of it is logged
	 */
	public void prepare(Runnable preparation) {
		this.connector.prepare(preparation);
	}

	/**
	 * Whether the connection is open and prepared.
	 * @return whether it can be used now
	 */
	public boolean isUp() {
		Connection current = this.connection;
		return this.ready && current != null && current.isOpen();
	}

	/**
	 * Opens the connection if no attempt has ended yet, and waits for that attempt.
	 * @return whether the connection can be used; if not, a thread goes on opening it
	 */
	public boolean open(Duration patience) {
		long began = System.nanoTime();
		return awaitWhile(() -> !this.once && System.nanoTime() - began < patience.toNanos());
	}

	/**
	 * Waits until the broker takes messages on the connection, and makes sure that an
	 * attempt to open it is due soon. If the connection has been down for longer than the
	 * patience, the method waits for at most one attempt.
	 * @param patience how long to wait; zero for not at all
	 * @throws AmqpConnectException if the broker does not take messages by then
	 */
	public void await(Duration patience) {
		if (takesMessages()) {
			return;
		}
		long began = System.nanoTime();
		this.lock.lock();
		try {
			look();
			boolean goneForLong = this.once && began - this.downSince > patience.toNanos();
			long left = patience.toNanos();
			while (!this.closed && !takesMessages()) {
				boolean hopeless = !isUp() && goneForLong && this.pacing.wasJustBefore(began);
				if (!isUp() && !hopeless) {
					connectSoon();
				}
				if (hopeless || left <= 0) {
					break;
				}
				this.changed.awaitNanos(Math.min(left, POLL_NANOS));
				left = patience.toNanos() - (System.nanoTime() - began);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.lock.unlock();
		}
		if (!takesMessages()) {
			throw failure();
		}
	}

	/**
	 * The same as {@link #await} for callers that do not block.
	 * @param patience how long it may take
	 * @return completes when the broker takes messages, or fails with an
	 * {@link AmqpConnectException}
	 */
	public CompletableFuture<Void> whenUp(Duration patience) {
		CompletableFuture<Void> waiter = new CompletableFuture<>();
		this.lock.lock();
		try {
			look();
			if (takesMessages()) {
				return CompletableFuture.completedFuture(null);
			}
			long now = System.nanoTime();
			boolean goneForLong = !isUp() && this.once && now - this.downSince > patience.toNanos();
			if (this.closed || (goneForLong && this.pacing.wasJustBefore(now))) {
				return CompletableFuture.failedFuture(failure());
			}
			connectSoon();
			this.waiters.add(waiter);
		}
		finally {
			this.lock.unlock();
		}
		return waiter.orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS).handle((done, late) -> {
			this.waiters.remove(waiter);
			if (late != null) {
				throw failure();
			}
			return null;
		});
	}

	private boolean takesMessages() {
		return isUp() && !this.alarm.isOn();
	}

	private AmqpConnectException failure() {
		if (isUp() && this.alarm.isOn()) {
			return new AmqpConnectException("The broker takes no messages: " + this.alarm.reason(), null);
		}
		return new AmqpConnectException("There is no connection to the broker at %s:%d: %s"
			.formatted(this.connectionFactory.getHost(), this.connectionFactory.getPort(), this.lastFailure), null);
	}

	/**
	 * Waits until the connection is open, and opens it at the pace of the backoff. Ends
	 * early if the connection is closed for good or the thread is interrupted.
	 * @param wanted whether to go on waiting; called several times a second
	 * @return whether the connection can be used
	 */
	public boolean awaitWhile(BooleanSupplier wanted) {
		this.lock.lock();
		try {
			look();
			while (!isUp() && !this.closed && wanted.getAsBoolean()) {
				connect();
				this.changed.awaitNanos(POLL_NANOS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.lock.unlock();
		}
		return isUp();
	}

	/** The state of the connection. */
	public ConnectionState state() {
		this.lock.lock();
		try {
			return new ConnectionState(this.name, isUp(), this.since, this.reconnections, this.alarm.reason(),
					this.alarm.since(), this.lastFailure);
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Tells listeners that the broker cancelled a consumer on this connection. */
	public void consumerCancelled(String queue) {
		this.events.publish(new ConnectionEvent.ConsumerCancelled(this.name, queue));
	}

	/** The factory that opens the connection. */
	public ConnectionFactory connectionFactory() {
		return this.connectionFactory;
	}

	/** The pauses between attempts. */
	public ReconnectBackoff backoff() {
		return this.backoff;
	}

	/**
	 * Detects a loss that the listener has not reported yet. Called with the lock held.
	 */
	private void look() {
		if (isGone()) {
			lost((this.delegate != null) ? this.delegate.getCloseReason() : null);
		}
	}

	/** Whether the connection was lost and {@link #lost} was not called since. */
	private boolean isGone() {
		return this.ready && !isUp();
	}

	/** Called with the lock held. The thread that reconnects tells listeners. */
	private void lost(@Nullable ShutdownSignalException signal) {
		this.ready = false;
		this.pacing.calm();
		this.alarm.off();
		this.downSince = System.nanoTime();
		this.since = this.clock.instant();
		boolean onPurpose = signal == null || signal.isInitiatedByApplication();
		this.lastFailure = onPurpose ? "this application closed it" : Connector.reason(signal);
		if (!onPurpose) {
			connect();
		}
		// If the application closed it, the next caller that needs it opens it.
		this.changed.signalAll();
	}

	/**
	 * Makes an attempt as soon as {@link #LEAST_PAUSE} allows. Called with the lock held.
	 */
	private void connectSoon() {
		connect();
		this.pacing.hurry();
	}

	/** Called with the lock held. */
	private void connect() {
		if (!this.connecting && !this.closed && !isUp()) {
			this.connecting = true;
			Threads.daemon(this::run, "ojs-connect-" + this.name).start();
		}
	}

	private void run() {
		if (this.once) {
			this.connector.openAgain(String.valueOf(this.lastFailure), this::attempted);
		}
		else {
			this.connector.openFirst(this::attempted);
		}
		locked(() -> {
			this.connecting = false;
			if (!this.ready) {
				// Lost again before this thread ended.
				connect();
			}
			this.changed.signalAll();
		});
	}

	private void attempted(int attempt, @Nullable Connection opened, @Nullable String failure) {
		com.rabbitmq.client.@Nullable Connection created = (opened != null) ? opened.getDelegate() : null;
		if (opened != null) {
			opened.addBlockedListener(this.alarm);
		}
		locked(() -> {
			this.connection = opened;
			this.delegate = created;
			this.ready = opened != null;
			this.once = true;
			this.reconnections += (attempt > 0) ? 1 : 0;
			this.lastFailure = (failure != null) ? failure : this.lastFailure;
			this.since = (this.ready || this.since == null) ? this.clock.instant() : this.since;
		});
		wake();
	}

	private void wake() {
		locked(this.changed::signalAll);
		if (takesMessages()) {
			this.waiters.forEach((waiter) -> waiter.completeAsync(() -> null));
		}
	}

	private void locked(Runnable action) {
		this.lock.lock();
		try {
			action.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void onCreate(@Nullable Connection created) {
		if (created != null && created == this.connection) {
			// Another thread has opened it again.
			com.rabbitmq.client.Connection opened = created.getDelegate();
			locked(() -> this.delegate = opened);
		}
		if (!this.ready) {
			// The broker has accepted a connection, perhaps the other one: try soon.
			this.pacing.hurry();
		}
	}

	@Override
	public void onShutDown(ShutdownSignalException signal) {
		locked(() -> {
			if (isGone()) {
				lost(signal);
			}
		});
	}

	/** Stops reconnecting. The factory closes the connection itself. */
	@Override
	public void close() {
		this.closed = true;
		this.connectionFactory.removeConnectionListener(this);
		this.pacing.end();
		wake();
	}

}
