package io.ojs.worker;

import java.time.Instant;
import java.util.List;

/**
 * What a worker is told.
 *
 * @param state the state that it should be in
 * @param extended the ids of jobs whose leases were extended
 * @param lost the ids of jobs that are not this worker's any longer: it may stop working
 * on them
 * @param time the present, as the store is told it
 */
public record HeartbeatAnswer(WorkerState state, List<String> extended, List<String> lost, Instant time) {

	public HeartbeatAnswer {
		extended = List.copyOf(extended);
		lost = List.copyOf(lost);
	}

}
