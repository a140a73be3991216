package io.ojs.benchmark.contender;

import java.time.Clock;
import java.util.List;

import io.ojs.client.internal.JobFactory;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.internal.json.JsonValues;
import io.ojs.job.JobRequest;
import io.ojs.retry.RetryPolicy;
import tools.jackson.databind.json.JsonMapper;

/** The jobs of this project that all of these are about. */
public final class OjsJobs {

	static final String TYPE = "bench.run";

	private OjsJobs() {
	}

	/**
	 * Asks for a job.
	 * @param payload what it carries
	 * @return the request
	 */
	public static JobRequest request(Payload payload) {
		return JobRequest.of(TYPE, payload.sentAt(), payload.text()).queue(Site.QUEUE);
	}

	/**
	 * Makes jobs of requests, as a starter without further settings would.
	 * @return the factory
	 */
	public static JobFactory factory() {
		JobHandlers handlers = new JobHandlers(List.of());
		return new JobFactory(handlers, new RetryPolicies((queue) -> RetryPolicy.DEFAULT, handlers),
				new JsonValues(JsonMapper.shared()), new JsonJobCodec(), Clock.systemUTC(),
				JobFactory.DEFAULT_MAX_ENVELOPE_BYTES);
	}

}
