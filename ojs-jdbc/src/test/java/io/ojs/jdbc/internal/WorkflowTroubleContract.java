package io.ojs.jdbc.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import io.ojs.client.OjsOperations;
import io.ojs.store.StoreUnavailableException;
import io.ojs.workflow.WorkflowRun;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.internal.WorkflowEngine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An engine that runs by itself, and what it does when it cannot go on.
 */
abstract class WorkflowTroubleContract extends WorkflowsOnStore {

	private final AtomicReference<@Nullable RuntimeException> refusal = new AtomicReference<>();

	/** Enqueues, or refuses whatever has {@code n1} in its name. */
	private OjsOperations moody() {
		return (OjsOperations) Proxy.newProxyInstance(OjsOperations.class.getClassLoader(),
				new Class<?>[] { OjsOperations.class }, (proxy, method, arguments) -> {
					RuntimeException refused = this.refusal.get();
					if (refused != null && method.getName().equals("enqueueAll")
							&& arguments[0].toString().contains("n1")) {
						throw refused;
					}
					try {
						return method.invoke(this.ojs, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	@Test
	void workflowThatCannotGoOnWaitsAndHoldsUpNoOther() {
		WorkflowRun stuck = this.workflows.start(chain(2));
		complete(available("step.n0"), null);
		WorkflowRun other = this.workflows.start(batch(1));
		complete(available("part.n0"), null);
		this.refusal.set(new StoreUnavailableException("away", new IllegalStateException()));
		try (WorkflowEngine engine = engine(this.store, this.stores.transactions, moody())) {
			engine.start();
			await().until(() -> types().contains("callback.success"));
			assertThat(find(stuck).state()).isEqualTo(WorkflowState.RUNNING);
			assertThat(enqueued("step.n1")).isZero();
			assertThat(ends()).isEqualTo(1);
		}
		this.refusal.set(null);
		try (WorkflowEngine engine = engine(this.store, this.stores.transactions, moody())) {
			engine.start();
			await().until(() -> types().contains("step.n1"));
		}
		assertThat(find(other).state()).isEqualTo(WorkflowState.RUNNING);
	}

	@Test
	void anyNumberOfThemHoldsUpNoOther() {
		for (int i = 0; i < 120; i++) {
			this.workflows.start(chain(2));
		}
		available().forEach((job) -> complete(job, null));
		this.workflows.start(batch(1));
		complete(available("part.n0"), null);
		this.refusal.set(new StoreUnavailableException("away", new IllegalStateException()));
		WorkflowEngine moody = engine(this.store, this.stores.transactions, moody());
		moody.advance();
		assertThat(types()).contains("callback.success");
		assertThat(enqueued("step.n1")).isZero();
		assertThat(ends()).isEqualTo(120);
	}

	@Test
	void engineThatSleepsIsWokenByTheEndOfAJob() {
		try (WorkflowEngine engine = new WorkflowEngine(this.store, this.stores.transactions,
				jobs(this.store, this.ojs), this.events, CLOCK, Duration.ofHours(1))) {
			engine.start();
			WorkflowRun run = this.workflows.start(chain(3));
			for (int i = 0; i < 3; i++) {
				String type = "step.n" + i;
				await().until(() -> types().contains(type));
				complete(available(type), null);
			}
			await().until(() -> find(run).state() == WorkflowState.COMPLETED);
		}
	}

}
