package io.ojs.sample;

import java.util.Map;
import java.util.Optional;

import io.ojs.internal.worker.Heartbeat;
import io.ojs.internal.worker.WorkerAdvice;
import io.ojs.internal.worker.WorkerState;
import io.ojs.job.Job;
import io.ojs.store.internal.JobStore;

/**
 * Has jobs say which state their workers should be in, by {@code metadata.test_directive}
 * or {@code meta.test_directive}: conformance tests have no operator to do it.
 */
final class TestDirectives implements WorkerAdvice {

	private static final String DIRECTIVE = "test_directive";

	private final JobStore store;

	TestDirectives(JobStore store) {
		this.store = store;
	}

	@Override
	public WorkerState advise(Heartbeat heartbeat) {
		WorkerState wanted = WorkerState.RUNNING;
		for (String id : heartbeat.jobIds()) {
			wanted = wanted.orLater(this.store.find(id)
				.flatMap((stored) -> directive(stored.job()))
				.flatMap(WorkerState::fromWire)
				.orElse(WorkerState.RUNNING));
		}
		return wanted;
	}

	private static Optional<String> directive(Job job) {
		Object said = (job.extensions().get("metadata") instanceof Map<?, ?> metadata) ? metadata.get(DIRECTIVE) : null;
		said = (said != null) ? said : job.meta().get(DIRECTIVE);
		return (said instanceof String word) ? Optional.of(word) : Optional.empty();
	}

}
