package io.ojs.boot;

import java.util.ArrayList;
import java.util.List;

import io.ojs.event.JobEvent;
import io.ojs.job.Job;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Events of jobs get to every kind of listener that Spring has. */
class JobApplicationEventsTests {

	private static final JobEvent.Enqueued ENQUEUED = new JobEvent.Enqueued(
			Job.builder("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f", "email.send", "default").build(), false);

	@Test
	void eventGetsToWhoeverListensToItsKind() {
		Listeners listeners = new Listeners();
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.registerBean(Listeners.class, () -> listeners);
			context.addApplicationListener(new PayloadListener(listeners.heard));
			context.refresh();
			JobApplicationEvents events = new JobApplicationEvents(context);
			events.onEvent(ENQUEUED);
			assertThat(listeners.heard).containsExactlyInAnyOrder("enqueued", "any", "payload of any", "payload");
			listeners.heard.clear();
			events.onEvent(new JobEvent.Scheduled(ENQUEUED.job(), false));
			assertThat(listeners.heard).containsExactlyInAnyOrder("any", "payload of any");
		}
	}

	@Test
	void eventGetsToThoseWhomSpringItselfWouldTell() {
		Listeners listeners = new Listeners();
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.registerBean(Listeners.class, () -> listeners);
			context.addApplicationListener(new PayloadListener(listeners.heard));
			context.refresh();
			context.publishEvent(ENQUEUED);
			List<String> told = List.copyOf(listeners.heard);
			listeners.heard.clear();
			new JobApplicationEvents(context).onEvent(ENQUEUED);
			assertThat(listeners.heard).isEqualTo(told).isNotEmpty();
		}
	}

	@Test
	void eventGetsToListenersOfTheParent() {
		Listeners listeners = new Listeners();
		try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext();
				GenericApplicationContext context = new GenericApplicationContext(parent)) {
			parent.registerBean(Listeners.class, () -> listeners);
			parent.refresh();
			context.refresh();
			new JobApplicationEvents(context).onEvent(ENQUEUED);
			assertThat(listeners.heard).containsExactlyInAnyOrder("enqueued", "any", "payload of any");
		}
	}

	private static final class PayloadListener
			implements ApplicationListener<PayloadApplicationEvent<JobEvent.Enqueued>> {

		private final List<String> heard;

		PayloadListener(List<String> heard) {
			this.heard = heard;
		}

		@Override
		public void onApplicationEvent(PayloadApplicationEvent<JobEvent.Enqueued> event) {
			assertThat(event.getPayload()).isSameAs(ENQUEUED);
			this.heard.add("payload");
		}

	}

	static class Listeners {

		private final List<String> heard = new ArrayList<>();

		@EventListener
		void enqueued(JobEvent.Enqueued event) {
			assertThat(event).isSameAs(ENQUEUED);
			this.heard.add("enqueued");
		}

		@EventListener
		void any(JobEvent event) {
			this.heard.add("any");
		}

		@EventListener
		void payload(PayloadApplicationEvent<? extends JobEvent> event) {
			this.heard.add("payload of any");
		}

		@EventListener
		void completed(JobEvent.Completed event) {
			this.heard.add("completed");
		}

	}

}
