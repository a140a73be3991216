package io.ojs.boot.it;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobRequest;
import io.ojs.workflow.Batch;
import io.ojs.workflow.Callback;
import io.ojs.workflow.Group;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowEvent;
import io.ojs.workflow.WorkflowEventListener;
import io.ojs.workflow.Workflows;
import io.ojs.workflow.internal.WorkflowStore;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

/**
 * Workflows with many jobs at once, and what applications are made of that are killed
 * while they go on with them.
 */
final class WorkflowCrashes {

	static final int PARTS = 50;

	private WorkflowCrashes() {
	}

	static Group group() {
		Group group = Workflow.group("parts");
		for (int i = 0; i < PARTS; i++) {
			group = group.add(part("desk.part"));
		}
		return group;
	}

	/** With all three callbacks. */
	static Batch batch(int failing) {
		Batch batch = Workflow.batch("parts");
		for (int i = 0; i < PARTS; i++) {
			batch = batch
				.add((i < failing) ? part("desk.never").retry((retry) -> retry.maxAttempts(1)) : part("desk.part"));
		}
		for (Callback callback : Callback.values()) {
			batch = batch.on(callback, part("desk.called"));
		}
		return batch;
	}

	private static JobRequest part(String type) {
		return JobRequest.of(type).queue("desk");
	}

	/** Starts a group as soon as it runs. */
	static class GroupStarter {

		@Bean
		ApplicationRunner startGroup(Workflows workflows) {
			return (arguments) -> workflows.start(group());
		}

	}

	/** Where an engine can be killed: around each call, and by what it has to tell. */
	static class Points {

		@Bean
		static BeanPostProcessor aroundWorkflowStore() {
			return CrashPoint.around(WorkflowStore.class);
		}

		/** What is told is written last of all. */
		@Bean
		static BeanPostProcessor beforeCommits() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String name) {
					return (bean instanceof WorkflowStore) ? beforeCommit(bean) : bean;
				}

			};
		}

		@Bean
		WorkflowEventListener afterCommits() {
			return (event) -> CrashPoint.reach(event.name() + " told");
		}

		private static Object beforeCommit(Object store) {
			return Proxy.newProxyInstance(WorkflowStore.class.getClassLoader(), ClassUtils.getAllInterfaces(store),
					(proxy, method, arguments) -> {
						try {
							Object result = method.invoke(store, arguments);
							if (method.getName().equals("append")) {
								((List<?>) arguments[0]).forEach(
										(event) -> CrashPoint.reach(((WorkflowEvent) event).name() + " not committed"));
							}
							return result;
						}
						catch (InvocationTargetException ex) {
							throw ex.getTargetException();
						}
					});
		}

	}

	/** Jobs of many, which take a moment, so that some end while others run. */
	static class Parts {

		private final Path ledger;

		Parts(@Value("${" + StoreCrashes.LEDGER + "}") Path ledger) {
			this.ledger = ledger;
		}

		@OjsJobHandler(value = "desk.part", queue = "desk")
		void part(JobContext context) {
			note(context);
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
		}

		@OjsJobHandler(value = "desk.called", queue = "desk")
		void called(JobContext context) {
			note(context);
			if (context.parentResults().size() != PARTS) {
				throw new IllegalStateException("Results of " + context.parentResults().size() + " jobs");
			}
			CrashPoint.reach("callback");
		}

		private void note(JobContext context) {
			StoreCrashes.note(this.ledger, context.job().id() + " " + context.attempt());
		}

	}

}
