package io.ojs.benchmark.micro;

import java.util.HashMap;
import java.util.Map;

import io.ojs.benchmark.contender.OjsJobs;
import io.ojs.benchmark.contender.Payload;
import io.ojs.client.internal.EncodedJob;
import io.ojs.handler.JobContext;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;

/** The job that all of these are about, and what is needed to make it. */
final class SampleJob {

	private SampleJob() {
	}

	static JobRequest request() {
		return OjsJobs.request(Payload.now());
	}

	static EncodedJob encoded() {
		return OjsJobs.factory().create(request());
	}

	/** An attempt of a job without listeners. */
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
				// There are no listeners.
			}

			@Override
			public void progress(double progress, String message) {
				// There are no listeners.
			}

			@Override
			public Map<String, Object> attributes() {
				return attributes;
			}

		};
	}

}
