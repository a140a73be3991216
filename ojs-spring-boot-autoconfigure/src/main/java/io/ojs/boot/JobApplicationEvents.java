package io.ojs.boot;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.ojs.event.JobEvent;
import io.ojs.event.JobEventListener;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.ResolvableType;

/**
 * Publishes events of jobs as events of the application. There are several to each job,
 * of few types, and most applications listen to none: so each type is looked at once, and
 * not with every event, as Spring would.
 */
final class JobApplicationEvents implements JobEventListener {

	private final Map<Class<?>, Types> types = new ConcurrentHashMap<>();

	private final ApplicationEventPublisher publisher;

	JobApplicationEvents(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	@Override
	public void onEvent(JobEvent event) {
		Types known = this.types.computeIfAbsent(event.getClass(), Types::of);
		this.publisher.publishEvent(new JobApplicationEvent(this.publisher, event, known));
	}

	/**
	 * What Spring asks of an event.
	 *
	 * @param payload the type of what happened
	 * @param event the type of the event that carries it
	 */
	private record Types(ResolvableType payload, ResolvableType event) {

		static Types of(Class<?> type) {
			ResolvableType payload = ResolvableType.forClass(type);
			return new Types(payload, ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, payload));
		}

	}

	/** What happened to a job. */
	private static final class JobApplicationEvent extends PayloadApplicationEvent<JobEvent> {

		private static final long serialVersionUID = 1L;

		private final transient ResolvableType type;

		JobApplicationEvent(Object source, JobEvent event, Types types) {
			super(source, event, types.payload());
			this.type = types.event();
		}

		@Override
		public ResolvableType getResolvableType() {
			return this.type;
		}

	}

}
