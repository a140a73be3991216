package io.ojs.amqp.connect;

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
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpConnectException;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionListener;

/**
 * Keeps one connection of a connection factory. When it is lost, one thread gets it back,
 * with growing pauses, and everybody else waits for that thread: however many consumers
 * and callers there are, the broker sees one attempt at a time (AMQP binding §11.3).
 *
 * <p>
 * A caller who needs the connection now may have an attempt made before its time, but not
 * within {@link #LEAST_PAUSE} of the last: a broker that is back is noticed within a
 * second by whoever enqueues, and one that is not is not hammered.
 */
public final class BrokerConnection implements ConnectionListener, AutoCloseable {

	/** The shortest time between two attempts, whoever wants them. */
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

	/** Those who do not wait on a thread. */
	private final Set<CompletableFuture<Void>> waiters = ConcurrentHashMap.newKeySet();

	private volatile @Nullable Connection connection;

	/**
	 * What the connection was when it was opened: a factory that is reset takes it away
	 * from the connection, and it alone knows why it was closed.
	 */
	private com.rabbitmq.client.@Nullable Connection delegate;

	/** Whether the preparations are through, so that others may use it. */
	private volatile boolean ready;

	private volatile boolean closed;

	private final Alarm alarm;

	/** Whether a thread is about to get the connection back. */
	private boolean connecting;

	/** Whether the first attempt of all is over. */
	private volatile boolean once;

	private volatile long downSince = System.nanoTime();

	private @Nullable Instant since;

	private long reconnections;

	private volatile @Nullable String lastFailure;

	/**
	 * Creates it; connects when somebody asks for it.
	 * @param name tells it from others: {@code consuming} or {@code publishing}
	 * @param connectionFactory opens it, and shares it
	 * @param backoff how long to wait between attempts
	 * @param events is told what happens to it
	 * @param clock tells since when
	 */
	public BrokerConnection(String name, ConnectionFactory connectionFactory, ReconnectBackoff backoff,
			ConnectionEvents events, Clock clock) {
		this.name = name;
		this.connectionFactory = connectionFactory;
		this.backoff = backoff;
		this.pacing = new Pacing(backoff, LEAST_PAUSE);
		this.connector = new Connector(name, connectionFactory, this.pacing, events);
		this.alarm = new Alarm(name, events, this::wake);
		this.events = events;
		this.clock = clock;
		connectionFactory.addConnectionListener(this);
	}

	/**
	 * Has something done on every new connection before anybody else gets to use it.
	 * @param preparation what to do; that it fails is logged
	 */
	public void prepare(Runnable preparation) {
		this.connector.prepare(preparation);
	}

	/**
	 * Whether it can be used now.
	 * @return whether it is open
	 */
	public boolean isUp() {
		Connection current = this.connection;
		return this.ready && current != null && current.isOpen();
	}

	/**
	 * Opens it for the first time, unless it is open.
	 * @param patience how long to wait for an attempt that neither fails nor succeeds
	 * @return whether it can be used; if not, it is opened in the background
	 */
	public boolean open(Duration patience) {
		long began = System.nanoTime();
		return awaitWhile(() -> !this.once && System.nanoTime() - began < patience.toNanos());
	}

	/**
	 * Waits until the broker takes messages on it. When it has been gone for longer than
	 * the caller would wait, an attempt is made and nobody waits any further.
	 * @param patience how long to wait; zero for not at all, though it is opened
	 * @throws AmqpConnectException if it cannot
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
	 * The same as {@link #await} for those who do not wait.
	 * @param patience how long it may take
	 * @return ends when the broker takes messages, or with an
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
	 * Waits for as long as it takes.
	 * @param wanted whether it is still wanted; asked a few times a second
	 * @return whether it can be used
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

	/**
	 * How it is.
	 * @return its state
	 */
	public ConnectionState state() {
		this.lock.lock();
		try {
			return new ConnectionState(this.name, isUp(), this.since, this.reconnections, this.alarm.reason(),
					this.lastFailure);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Tells listeners that the broker cancelled a consumer on it.
	 * @param queue the OJS queue that it consumed from
	 */
	public void consumerCancelled(String queue) {
		this.events.publish(new ConnectionEvent.ConsumerCancelled(this.name, queue));
	}

	/**
	 * What opens it.
	 * @return the connection factory
	 */
	public ConnectionFactory connectionFactory() {
		return this.connectionFactory;
	}

	/**
	 * How long to wait between attempts.
	 * @return the backoff
	 */
	public ReconnectBackoff backoff() {
		return this.backoff;
	}

	/** Notices what the listener has not told yet. Called with the lock held. */
	private void look() {
		if (isGone()) {
			lost((this.delegate != null) ? this.delegate.getCloseReason() : null);
		}
	}

	/** Whether it was there, and nobody has noticed yet that it no longer is. */
	private boolean isGone() {
		return this.ready && !isUp();
	}

	/** Called with the lock held; listeners are told by the thread that reconnects. */
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
		// Otherwise it is opened when somebody needs it.
		this.changed.signalAll();
	}

	/** An attempt now, unless there was one just before. Called with the lock held. */
	private void connectSoon() {
		connect();
		this.pacing.hurry();
	}

	/** Called with the lock held. */
	private void connect() {
		if (!this.connecting && !this.closed && !isUp()) {
			this.connecting = true;
			Thread thread = new Thread(this::run, "ojs-connect-" + this.name);
			thread.setDaemon(true);
			thread.start();
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
				// Lost again before this thread was through.
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
			// Opened again by a thread that is none of ours.
			com.rabbitmq.client.Connection opened = created.getDelegate();
			locked(() -> this.delegate = opened);
		}
		if (!this.ready) {
			// Somebody got through, perhaps on the other connection: worth an attempt.
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

	/** Stops getting it back. The connection itself belongs to its factory. */
	@Override
	public void close() {
		this.closed = true;
		this.connectionFactory.removeConnectionListener(this);
		this.pacing.end();
		wake();
	}

}
