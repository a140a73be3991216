package io.ojs.engine;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.job.InvalidJobException;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.Rfc3339;
import io.ojs.json.UndecodableJobException;
import io.ojs.store.relay.RelayedJob;

/**
 * What becomes of jobs that the relay takes to publish them, in one transaction.
 */
public final class Relaying {

	private final JobRowCodec codec;

	private final Transitions transitions;

	/**
	 * Creates it.
	 * @param codec makes jobs of rows
	 * @param transitions is told what becomes of jobs
	 */
	public Relaying(JobRowCodec codec, Transitions transitions) {
		this.codec = codec;
		this.transitions = transitions;
	}

	/**
	 * Takes a job whose time has come: one that is scheduled or waits for its next
	 * attempt becomes available.
	 * @param row its row
	 * @param until when another relay may take it, unless it is published by then
	 * @return what is to be published; empty if the job is a dead letter now, since it
	 * has expired or cannot be read
	 */
	public Optional<RelayedJob> take(JobRow row, Instant until) {
		if (row.state == JobState.ACTIVE) {
			// It has begun before its row was locked.
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
			// It would come again and again, and hold others up.
			this.transitions.bury(row,
					new JobError(ex.getClass().getName(), JobError.INVALID_PAYLOAD, String.valueOf(ex.getMessage()),
							row.attempt, Rfc3339.utc(this.transitions.now()), List.of(), Map.of()));
			return Optional.empty();
		}
	}

}
