package io.ojs.amqp.internal.control;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.Channel;
import io.ojs.amqp.OjsNaming;
import io.ojs.amqp.internal.connect.PhysicalChannel;
import io.ojs.amqp.internal.message.OutgoingMessage;
import io.ojs.amqp.internal.publish.PatientPublisher;
import io.ojs.amqp.internal.publish.PublishOutcome;
import io.ojs.amqp.internal.run.Deadlines;
import io.ojs.amqp.internal.run.RunningJob;
import io.ojs.amqp.internal.run.RunningJobs;
import io.ojs.amqp.internal.run.WorkerControl;
import io.ojs.internal.log.SafeLogger;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.UndecodableJobException;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;

/**
 * Handles requests about jobs. Workers compete for requests in the control queues, so a
 * worker that gets one and does not run the job passes it on to all workers.
 */
public final class ControlListener implements ChannelAwareMessageListener, WorkerControl {

	private static final Logger logger = SafeLogger.of(ControlListener.class);

	/** How long other workers have to answer that they run a job. */
	private static final Duration ASK_OTHERS = Duration.ofMillis(500);

	private static final String NOT_FOUND = "NOT_FOUND";

	private static final String JOB_CANCELLED = "JOB_CANCELLED";

	/** The time until the job store is asked again, while it cannot be reached. */
	private static final Duration STORE_PAUSE = Duration.ofSeconds(1);

	private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private final String workerId = UUID.randomUUID().toString();

	private final OjsNaming naming;

	private final RunningJobs running;

	private final Deadlines timer;

	private final PatientPublisher publisher;

	private final ControlMessages messages;

	private final Tombstones tombstones;

	private final ReplyQueues replyQueues;

	/** None without a job store. */
	private final @Nullable StoredJobs stored;

	/**
	 * Senders of questions that this worker has passed on to other workers, by question.
	 */
	private final ConcurrentMap<String, Asker> askers = new ConcurrentHashMap<>();

	private volatile long lastHeard = System.nanoTime();

	/**
	 * Whether this worker's join message has come back, so that all other workers have it
	 * too.
	 */
	private volatile boolean joined;

	public ControlListener(OjsNaming naming, RunningJobs running, Deadlines timer, PatientPublisher publisher,
			ControlMessages messages, Duration retention) {
		this(naming, running, timer, publisher, messages, retention, List.of(), null);
	}

	/**
	 * Creates a listener.
	 * @param replyQueues patterns of further queues that may receive answers, beside
	 * those that the broker has named
	 * @param stored the jobs of the job store; {@code null} without one
	 */
	public ControlListener(OjsNaming naming, RunningJobs running, Deadlines timer, PatientPublisher publisher,
			ControlMessages messages, Duration retention, List<String> replyQueues, @Nullable StoredJobs stored) {
		this.naming = naming;
		this.running = running;
		this.timer = timer;
		this.publisher = publisher;
		this.messages = messages;
		this.tombstones = new Tombstones(retention);
		this.replyQueues = new ReplyQueues(naming, replyQueues);
		this.stored = stored;
	}

	/**
	 * The id of this process.
	 * @return a random id, a new one for each start
	 */
	public String workerId() {
		return this.workerId;
	}

	/** Asks other workers which jobs were cancelled. */
	void join() {
		tell(this.messages.join(this.naming.controlExchange(), this.workerId));
	}

	/**
	 * Whether no message has come for a moment since other workers were asked.
	 * @return whether no more answers are likely
	 */
	boolean isQuiet() {
		return this.joined && System.nanoTime() - this.lastHeard > QUIET_NANOS;
	}

	/**
	 * Throws nothing: an exception would stop the consumer, and the broker would deliver
	 * the message again.
	 */
	@Override
	public void onMessage(Message message, @Nullable Channel channel) throws IOException {
		MessageProperties properties = message.getMessageProperties();
		if (!ControlMessages.AVAILABLE.equals(properties.getType())) {
			this.lastHeard = System.nanoTime();
		}
		Channel physical = PhysicalChannel.of(channel);
		Runnable settling = () -> ack(physical, properties.getDeliveryTag());
		boolean held = false;
		try {
			boolean ofWorker = this.naming.workerQueue(this.workerId).equals(properties.getConsumerQueue());
			held = hear(String.valueOf(properties.getType()), message, ofWorker, settling);
		}
		catch (UndecodableJobException ex) {
			logger.warn("A request about a job, from {}, is dropped: {}", properties.getConsumerQueue(),
					ex.getMessage());
		}
		catch (RuntimeException ex) {
			logger.warn("A request about a job, from {}, could not be answered", properties.getConsumerQueue(), ex);
		}
		if (!held) {
			settling.run();
		}
	}

	private static void ack(@Nullable Channel channel, long tag) {
		try {
			if (channel != null) {
				channel.basicAck(tag, false);
			}
		}
		catch (IOException | RuntimeException ex) {
			// The channel is closed, and the broker delivers the message again.
			logger.debug("A request about a job could not be acked: {}", ex.toString());
		}
	}

	/** Returns whether the message stays unacked. */
	private boolean hear(String type, Message message, boolean ofWorker, Runnable settling) {
		switch (type) {
			case ControlMessages.CANCEL -> {
				boolean again = Boolean.TRUE.equals(message.getMessageProperties().isRedelivered());
				return cancel(this.messages.jobId(message.getBody()), ofWorker, again, settling);
			}
			case ControlMessages.DROPPED -> this.tombstones.remove(this.messages.jobId(message.getBody()));
			case ControlMessages.HEARTBEAT -> beat(message, ofWorker);
			case ControlMessages.INFO ->
				info(message.getMessageProperties(), this.messages.jobId(message.getBody()), ofWorker);
			case ControlMessages.ANSWER -> answer(message);
			case ControlMessages.AVAILABLE -> available(this.messages.queue(message.getBody()));
			case ControlMessages.JOIN -> welcome(this.messages.workerId(message.getBody()), ofWorker);
			default -> throw new UndecodableJobException("Its type is '%s'.".formatted(type));
		}
		return false;
	}

	private void available(String queue) {
		if (this.stored != null) {
			this.stored.available(queue);
		}
	}

	private boolean cancel(String jobId, boolean ofWorker, boolean again, Runnable settling) {
		if (this.stored == null) {
			return remember(jobId, ofWorker, again, settling);
		}
		try {
			return cancel(this.stored, jobId, ofWorker, again, settling);
		}
		catch (StoreUnavailableException ex) {
			logger.warn("Job {} cannot be cancelled for now: {}", jobId, ex.getMessage());
			later(() -> cancelAgain(jobId, ofWorker, again, settling));
			return true;
		}
	}

	private void later(Runnable action) {
		try {
			this.timer.schedule(() -> CompletableFuture.runAsync(action), STORE_PAUSE);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The worker stops, and the broker keeps the request", ex);
		}
	}

	private void cancelAgain(String jobId, boolean ofWorker, boolean again, Runnable settling) {
		boolean held = false;
		try {
			held = cancel(jobId, ofWorker, again, settling);
		}
		catch (RuntimeException ex) {
			logger.warn("Job {} could not be cancelled", jobId, ex);
		}
		if (!held) {
			settling.run();
		}
	}

	/**
	 * If the store knows the job, the store decides, and no worker has to remember it.
	 * For an active job, this worker interrupts the handler, or passes the request on if
	 * it does not run the job.
	 */
	private boolean cancel(StoredJobs known, String jobId, boolean ofWorker, boolean again, Runnable settling) {
		StoredJobs.Cancellation cancelled = ofWorker ? known.look(jobId) : known.cancel(jobId);
		if (cancelled == StoredJobs.Cancellation.UNKNOWN) {
			return remember(jobId, ofWorker, again, settling);
		}
		if (cancelled == StoredJobs.Cancellation.INTERRUPT && !this.running.cancel(jobId) && !ofWorker) {
			tell(this.messages.cancel(this.naming.controlExchange(), "", jobId));
		}
		return false;
	}

	private boolean remember(String jobId, boolean ofWorker, boolean again, Runnable settling) {
		// Remember it first: a job that begins meanwhile checks for it after its
		// beginning.
		this.tombstones.add(jobId, ofWorker ? null : settling, again);
		boolean here = this.running.cancel(jobId);
		if (!ofWorker && !here) {
			tell(this.messages.cancel(this.naming.controlExchange(), "", jobId));
		}
		logger.info("Job {} is to be cancelled{}", jobId, here ? ", and is running here" : "");
		return !ofWorker;
	}

	/** A worker that holds requests passes them on to a new worker. */
	private void welcome(String other, boolean ofWorker) {
		if (other.equals(this.workerId)) {
			this.joined = true;
		}
		else if (ofWorker) {
			String queue = this.naming.workerQueue(other);
			this.tombstones.held().forEach((jobId) -> tell(this.messages.cancel("", queue, jobId)));
		}
	}

	private void beat(Message message, boolean ofWorker) {
		String jobId = this.messages.jobId(message.getBody());
		if (this.stored != null && isOfForeignWorker(this.stored, message.getMessageProperties())) {
			this.stored.beat(jobId, this.messages.workerId(message.getBody()));
		}
		else if (!this.running.beat(jobId) && !ofWorker) {
			MessageProperties properties = message.getMessageProperties();
			tell(this.messages.passedOn(this.naming.controlExchange(), message.getBody()));
			logger.debug("Heartbeat of job {} passed on from {}", jobId, properties.getConsumerQueue());
		}
	}

	private boolean isOfForeignWorker(StoredJobs jobs, MessageProperties properties) {
		return jobs.handedOver()
			.stream()
			.anyMatch((queue) -> this.naming.controlQueue(queue).equals(properties.getConsumerQueue()));
	}

	private void info(MessageProperties properties, String jobId, boolean ofWorker) {
		String replyTo = properties.getReplyTo();
		String own = this.naming.workerQueue(this.workerId);
		if (replyTo == null || replyTo.isEmpty()) {
			throw new UndecodableJobException("It asks about job %s and has no reply_to.".formatted(jobId));
		}
		if (!this.replyQueues.allow(replyTo, properties.getReceivedExchange())) {
			return;
		}
		if (ofWorker && replyTo.equals(own)) {
			return;
		}
		byte[] here = known(jobId);
		byte[] known = (here == null && this.stored != null) ? this.stored.answer(jobId) : here;
		if (known != null) {
			tell(this.messages.answer(replyTo, properties.getCorrelationId(), known));
		}
		else if (!ofWorker) {
			String question = UUID.randomUUID().toString();
			this.askers.put(question, new Asker(jobId, replyTo, properties.getCorrelationId()));
			tell(this.messages.info(this.naming.controlExchange(), "", jobId, own, question));
			// On another thread: the timer also interrupts jobs, and must not wait for
			// the broker.
			this.timer.schedule(() -> CompletableFuture.runAsync(() -> nobodyKnows(question)), ASK_OTHERS);
		}
	}

	private byte @Nullable [] known(String jobId) {
		for (RunningJob run : this.running.find(jobId)) {
			Job job = run.job()
				.toBuilder()
				.state(JobState.ACTIVE)
				.attempt(run.attempt())
				.startedAt(Rfc3339.utc(run.startedAt()))
				.build();
			Map<String, @Nullable Object> further = new HashMap<>();
			further.put("worker_id", this.workerId);
			if (run.lastHeartbeat() != null) {
				further.put("last_heartbeat_at", Rfc3339.format(run.lastHeartbeat()));
			}
			return this.messages.found(job, further);
		}
		return this.tombstones.contains(jobId)
				? this.messages.error(JOB_CANCELLED, jobId, "Job %s was cancelled and will not run.".formatted(jobId))
				: null;
	}

	private void answer(Message message) {
		String question = message.getMessageProperties().getCorrelationId();
		Asker asker = (question != null) ? this.askers.remove(question) : null;
		if (asker != null) {
			tell(this.messages.answer(asker.replyTo(), asker.correlationId(), message.getBody()));
		}
	}

	private void nobodyKnows(String question) {
		Asker asker = this.askers.remove(question);
		if (asker != null) {
			tell(this.messages.answer(asker.replyTo(), asker.correlationId(), this.messages.error(NOT_FOUND,
					asker.jobId(), "No worker runs job %s; jobs that wait are not known.".formatted(asker.jobId()))));
		}
	}

	/** Does not wait for the broker: a lost request is sent again, or delivered again. */
	private void tell(OutgoingMessage message) {
		this.publisher.publish(message).thenAccept((outcome) -> {
			if (!(outcome instanceof PublishOutcome.Confirmed)) {
				logger.debug("{} was not taken: {}", message.properties().getType(), outcome);
			}
		});
	}

	@Override
	public boolean isCancelled(String jobId) {
		return this.tombstones.contains(jobId);
	}

	@Override
	public void dropped(String jobId) {
		tell(this.messages.dropped(this.naming.controlExchange(), jobId));
	}

	@Override
	public void heartbeat(Job job) {
		this.running.beat(job.id());
		tell(this.messages.heartbeat(this.naming.directExchange(), this.naming.controlQueue(job.queue()), job.id(),
				this.workerId));
	}

	/**
	 * The sender of a question about a job.
	 *
	 */
	private record Asker(String jobId, String replyTo, @Nullable String correlationId) {
	}

}
