package io.ojs.boot;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.ojs.event.JobEvent;
import io.ojs.event.JobEventListener;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.ResolvableType;

/**
 * Publishes events of jobs as events of the application. Each job has several events of
 * few types, and most applications listen to none. So this class resolves each type once,
 * while Spring would resolve it for every event.
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
	 * The types by which Spring finds listeners.
	 *
	 * @param payload the type of the job event
	 * @param event the type of the application event that carries it
	 */
	private record Types(ResolvableType payload, ResolvableType event) {

		static Types of(Class<?> type) {
			ResolvableType payload = ResolvableType.forClass(type);
			return new Types(payload, ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, payload));
		}

	}

	/** Carries an event of a job. */
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
