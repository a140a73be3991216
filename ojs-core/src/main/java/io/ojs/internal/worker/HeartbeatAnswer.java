package io.ojs.internal.worker;

import java.time.Instant;
import java.util.List;

/**
 * The answer to a heartbeat.
 *
 * @param state the state that the worker should be in
 * @param extended the ids of the jobs that the worker still has, with their leases
 * extended
 * @param lost the ids of the jobs that the worker has lost: it may stop working on them
 * @param time the present, by the clock of the store
 */
public record HeartbeatAnswer(WorkerState state, List<String> extended, List<String> lost, Instant time) {

	public HeartbeatAnswer {
		extended = List.copyOf(extended);
		lost = List.copyOf(lost);
	}

}
