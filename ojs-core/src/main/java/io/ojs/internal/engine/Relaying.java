package io.ojs.internal.engine;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.job.InvalidJobException;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.UndecodableJobException;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.internal.relay.RelayedJob;

/**
 * Takes jobs that are to be published, for the relay, in one transaction.
 */
public final class Relaying {

	private final JobRowCodec codec;

	private final Transitions transitions;

	public Relaying(JobRowCodec codec, Transitions transitions) {
		this.codec = codec;
		this.transitions = transitions;
	}

	/**
	 * Takes a job whose time has come. A scheduled or retryable job becomes available.
	 * @param until when another relay may take it, unless it is noted as published by
	 * then
	 * @return the job to publish; empty if it runs already, or is a dead letter now
	 * because it has expired or cannot be read
	 */
	public Optional<RelayedJob> take(JobRow row, Instant until) {
		if (row.state == JobState.ACTIVE) {
			// The run began before this transaction locked the row.
			return Optional.empty();
		}
		if (row.expiresAt != null && row.expiresAt.isBefore(this.transitions.now())) {
			this.transitions.expire(row);
			return Optional.empty();
		}
		if (row.state != JobState.AVAILABLE) {
			this.transitions.makeAvailable(row, Times.micros(until));
		}
		try {
			return Optional.of(this.codec.relayed(row, until));
		}
		catch (UndecodableJobException | InvalidJobException ex) {
			// Otherwise the relay would take it again and again, and delay other jobs.
			this.transitions.bury(row,
					new JobError(ex.getClass().getName(), JobError.INVALID_PAYLOAD, String.valueOf(ex.getMessage()),
							row.attempt, Rfc3339.utc(this.transitions.now()), List.of(), Map.of()));
			return Optional.empty();
		}
	}

}
