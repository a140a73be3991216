package io.ojs.test.assertj;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.test.jobs.TestJobs;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.WritableAssertionInfo;
import org.jspecify.annotations.Nullable;

/**
 * Assertions about the jobs that meet all conditions so far. At least one job meets them.
 */
public final class EnqueuedAssert extends AbstractAssert<EnqueuedAssert, TestJobs> {

	/** Code that does not use the clock of the test schedules jobs slightly later. */
	private static final Duration FORGIVEN = Duration.ofSeconds(1);

	private final List<String> conditions = new ArrayList<>();

	private List<Job> matching;

	EnqueuedAssert(TestJobs jobs, String type, WritableAssertionInfo info) {
		super(jobs, EnqueuedAssert.class);
		this.info.description(info.description());
		this.matching = jobs.all();
		narrow("a job " + type, (job) -> job.type().equals(type));
	}

	/**
	 * Asserts the arguments.
	 * @param args all arguments, as for enqueueing; compared as JSON
	 * @return this
	 */
	public EnqueuedAssert withArgs(@Nullable Object... args) {
		String expected = ShownJobs.json(this.actual.toJson(args));
		return narrow("with args " + expected, (job) -> ShownJobs.json(job.args()).equals(expected));
	}

	/**
	 * Asserts a value in {@code meta}.
	 * @param key the key
	 * @param value its value, compared as JSON
	 * @return this
	 */
	public EnqueuedAssert withMeta(String key, @Nullable Object value) {
		String expected = ShownJobs.json(this.actual.toJson(value).get(0));
		return narrow("with meta %s = %s".formatted(key, expected),
				(job) -> job.meta().containsKey(key) && ShownJobs.json(job.meta().get(key)).equals(expected));
	}

	/**
	 * Asserts the queue.
	 * @param queue the name of the queue
	 * @return this
	 */
	public EnqueuedAssert onQueue(String queue) {
		return narrow("in queue " + queue, (job) -> job.queue().equals(queue));
	}

	/**
	 * Asserts the time that the job is scheduled for.
	 * @param time the time; fractions of a millisecond are ignored, because jobs do not
	 * carry them
	 * @return this
	 */
	public EnqueuedAssert scheduledAt(Instant time) {
		Instant expected = time.truncatedTo(ChronoUnit.MILLIS);
		return narrow("scheduled for " + expected, (job) -> job.scheduledAt() != null
				&& job.scheduledAt().toInstant().truncatedTo(ChronoUnit.MILLIS).equals(expected));
	}

	/**
	 * Asserts the delay between the creation of the job and the time that it is scheduled
	 * for.
	 * @param delay the delay, to within a second
	 * @return this
	 */
	public EnqueuedAssert scheduledIn(Duration delay) {
		return narrow("scheduled %s after it was enqueued".formatted(delay), (job) -> {
			OffsetDateTime created = job.createdAt();
			return job.scheduledAt() != null && created != null
					&& Duration.between(created.plus(delay), job.scheduledAt()).abs().compareTo(FORGIVEN) <= 0;
		});
	}

	/**
	 * Asserts the state.
	 * @param state the present state of the job
	 * @return this
	 */
	public EnqueuedAssert inState(JobState state) {
		return narrow("that is " + state.wireName(), (job) -> job.state() == state);
	}

	/**
	 * Asserts the number of jobs that meet all conditions so far.
	 * @param times the number of jobs
	 * @return this
	 */
	public EnqueuedAssert times(int times) {
		if (this.matching.size() != times) {
			fail("Expected %s %d times, but there are %d among".formatted(String.join(", ", this.conditions), times,
					this.matching.size()));
		}
		return this;
	}

	private EnqueuedAssert narrow(String condition, Predicate<Job> meets) {
		this.conditions.add(condition);
		this.matching = this.matching.stream().filter(meets).toList();
		if (this.matching.isEmpty()) {
			fail("Expected %s, but there is none among".formatted(String.join(", ", this.conditions)));
		}
		return this;
	}

	private void fail(String expected) {
		List<Job> all = this.actual.all();
		failWithMessage("%s", expected + (all.isEmpty() ? " no jobs at all: none was enqueued"
				: " the %d jobs that were enqueued:%s".formatted(all.size(), ShownJobs.list(all))));
	}

}
