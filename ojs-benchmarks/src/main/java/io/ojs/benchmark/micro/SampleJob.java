package io.ojs.benchmark.micro;

import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.ojs.benchmark.contender.Payload;
import io.ojs.client.EncodedJob;
import io.ojs.client.JobFactory;
import io.ojs.handler.JobContext;
import io.ojs.handler.JobHandlers;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.json.JsonJobCodec;
import io.ojs.json.JsonValues;
import io.ojs.handler.RetryPolicies;
import io.ojs.retry.RetryPolicy;
import tools.jackson.databind.json.JsonMapper;

/** The job that all of these are about, and what is needed to make it. */
final class SampleJob {

	private SampleJob() {
	}

	static JobRequest request() {
		Payload payload = Payload.now();
		return JobRequest.of("bench.run", payload.sentAt(), payload.text()).queue("bench");
	}

	static JobFactory factory() {
		JobHandlers handlers = new JobHandlers(List.of());
		return new JobFactory(handlers, new RetryPolicies((queue) -> RetryPolicy.DEFAULT, handlers),
				new JsonValues(JsonMapper.shared()), new JsonJobCodec(), Clock.systemUTC(),
				JobFactory.DEFAULT_MAX_ENVELOPE_BYTES);
	}

	static EncodedJob encoded() {
		return factory().create(request());
	}

	/** An attempt of a job that nobody watches. */
	static JobContext attempt(Job job) {
		Map<String, Object> attributes = new HashMap<>();
		return new JobContext() {

			@Override
			public Job job() {
				return job;
			}

			@Override
			public int attempt() {
				return 1;
			}

			@Override
			public int maxAttempts() {
				return 3;
			}

			@Override
			public boolean isCancelled() {
				return false;
			}

			@Override
			public void heartbeat() {
				// Nobody listens.
			}

			@Override
			public void progress(double progress, String message) {
				// Nobody listens.
			}

			@Override
			public Map<String, Object> attributes() {
				return attributes;
			}

		};
	}

}
