package io.ojs.amqp.internal.observe;

import java.util.Collection;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.ojs.event.JobEvent;
import io.ojs.event.JobEventListener;

/**
 * Meters of jobs in this process, by Micrometer (OJS Observability):
 * {@code ojs.job.enqueued}, {@code ojs.job.completed}, {@code ojs.job.failed} and
 * {@code ojs.job.duration}, by queue and type. {@code failed} counts attempts, with a tag
 * for what becomes of the job.
 */
public final class MicrometerJobMetrics implements JobEventListener {

	/**
	 * The limit of types, and of queues, that have meters of their own. Those known
	 * beforehand count and always have their own.
	 */
	public static final int MAX_NAMES = 200;

	private static final String QUEUE = "queue";

	private static final String TYPE = "type";

	private final BoundedNames queues;

	private final BoundedNames types;

	private final MeterTable<Counter> enqueued;

	private final MeterTable<Counter> completed;

	private final MeterTable<Timer> durations;

	private final MeterTable<Counter> retried;

	private final MeterTable<Counter> deadLettered;

	private final MeterTable<Counter> discarded;

	public MicrometerJobMetrics(MeterRegistry registry, Collection<String> queues, Collection<String> types) {
		this.queues = new BoundedNames(queues, MAX_NAMES);
		this.types = new BoundedNames(types, MAX_NAMES);
		this.enqueued = new MeterTable<>(QUEUE, TYPE,
				(tags) -> counter("enqueued", "Jobs that this process enqueued", tags).register(registry));
		this.completed = new MeterTable<>(QUEUE, TYPE,
				(tags) -> counter("completed", "Jobs that handlers completed", tags).register(registry));
		this.durations = new MeterTable<>(QUEUE, TYPE,
				(tags) -> Timer.builder("ojs.job.duration")
					.description("Time that handlers took for jobs that they completed")
					.tags(tags)
					.register(registry));
		this.retried = failed(registry, "retried");
		this.deadLettered = failed(registry, "dead_lettered");
		this.discarded = failed(registry, "discarded");
	}

	private static MeterTable<Counter> failed(MeterRegistry registry, String outcome) {
		return new MeterTable<>(QUEUE, TYPE,
				(tags) -> counter("failed", "Attempts that failed, by what became of the job", tags)
					.tag("outcome", outcome)
					.register(registry));
	}

	private static Counter.Builder counter(String what, String description, Tags tags) {
		return Counter.builder("ojs.job." + what).description(description).tags(tags);
	}

	@Override
	public void onEvent(JobEvent event) {
		if (isNew(event)) {
			this.enqueued.of(this.queues.admit(event.job().queue()), this.types.admit(event.job().type())).increment();
		}
		else if (event instanceof JobEvent.Completed done) {
			count(this.completed, event);
			worked(this.durations, event).record(done.duration());
		}
		else if (event instanceof JobEvent.Retrying) {
			count(this.retried, event);
		}
		else if (event instanceof JobEvent.DeadLettered) {
			count(this.deadLettered, event);
		}
		else if (event instanceof JobEvent.Discarded) {
			count(this.discarded, event);
		}
	}

	/** Whether an event is the first of a job. */
	static boolean isNew(JobEvent event) {
		return (event instanceof JobEvent.Scheduled scheduled && !scheduled.again())
				|| (event instanceof JobEvent.Enqueued enqueued && !enqueued.again());
	}

	private void count(MeterTable<Counter> counters, JobEvent event) {
		worked(counters, event).increment();
	}

	/**
	 * Names in received messages are not admitted, since producers may write anything.
	 */
	private <M> M worked(MeterTable<M> meters, JobEvent event) {
		return meters.of(this.queues.known(event.job().queue()), this.types.known(event.job().type()));
	}

}
