package io.ojs.test.jobs;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;

import io.ojs.job.Job;
import io.ojs.job.JobBuilder;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.Rfc3339;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * A job in memory. Each transition makes another one of it.
 *
 * @param number how many were kept before it
 * @param stored the job as it is now
 * @param uniqueKey tells whether another job is like it
 */
record KeptJob(long number, StoredJob stored, @Nullable String uniqueKey) {

	Job job() {
		return this.stored.job();
	}

	JobState state() {
		return Objects.requireNonNull(job().state());
	}

	/** When its turn comes, if it waits for it. */
	@Nullable Instant turn() {
		return switch (state()) {
			case SCHEDULED, RETRYABLE -> Objects.requireNonNull(this.stored.dueAt());
			case AVAILABLE -> Objects.requireNonNull(job().enqueuedAt()).toInstant();
			default -> null;
		};
	}

	Instant turnOrEpoch() {
		Instant turn = turn();
		return (turn != null) ? turn : Instant.EPOCH;
	}

	Instant createdAt() {
		return Objects.requireNonNull(job().createdAt()).toInstant();
	}

	/** This one with what another one is, but for its name and its time. */
	KeptJob merged(KeptJob other) {
		Job old = job();
		Job with = other.job();
		Job merged = new Job(with.specVersion(), old.id(), with.type(), with.queue(), with.args(), with.meta(),
				with.priority(), with.timeout(), old.scheduledAt(), with.expiresAt(), with.retry(), with.unique(),
				JobState.SCHEDULED, old.attempt(), old.createdAt(), old.enqueuedAt(), null, null, null, old.errors(),
				with.extensions());
		return new KeptJob(this.number,
				new StoredJob(merged, other.stored.maxAttempts(), Map.of(), this.stored.dueAt(), null, null, 0),
				other.uniqueKey);
	}

	KeptJob available(Instant now) {
		return with(job().toBuilder().state(JobState.AVAILABLE).enqueuedAt(Rfc3339.utc(now)), null);
	}

	KeptJob started(Instant now) {
		return with(job().toBuilder().state(JobState.ACTIVE).attempt(job().attempt() + 1).startedAt(Rfc3339.utc(now)),
				null);
	}

	KeptJob completed(@Nullable Object result, Instant now) {
		return with(ended(JobState.COMPLETED, now).result(result), null);
	}

	KeptJob cancelled(Instant now) {
		return with(ended(JobState.CANCELLED, now), null);
	}

	KeptJob retrying(JobError error, Instant dueAt) {
		return with(failed(job().toBuilder().state(JobState.RETRYABLE), error), dueAt);
	}

	KeptJob discarded(JobError error, boolean deadLetter, Instant now) {
		KeptJob ended = with(failed(ended(JobState.DISCARDED, now), error), null);
		StoredJob after = ended.stored;
		return deadLetter ? new KeptJob(this.number,
				new StoredJob(after.job(), after.maxAttempts(), Map.of(), null, now, after.job().queue(), 0),
				this.uniqueKey) : ended;
	}

	private JobBuilder ended(JobState state, Instant now) {
		return job().toBuilder().state(state).completedAt(Rfc3339.utc(now));
	}

	private JobBuilder failed(JobBuilder builder, JobError error) {
		return builder.errors(JobError.history(job().errors(), error));
	}

	private KeptJob with(JobBuilder job, @Nullable Instant dueAt) {
		return new KeptJob(this.number,
				new StoredJob(job.build(), this.stored.maxAttempts(), Map.of(), dueAt, null, null, 0), this.uniqueKey);
	}

}
