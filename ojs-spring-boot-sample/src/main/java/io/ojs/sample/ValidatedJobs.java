package io.ojs.sample;

import io.ojs.job.Job;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.JobRejectedException;
import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * An example of an application's rule: a job with {@code meta.ojs_validate}, as in the
 * published cases of OJS Middleware, must have arguments.
 */
@Component
@Profile("conformance")
class ValidatedJobs implements EnqueueMiddleware {

	@Override
	public @Nullable Job enqueue(Job job) {
		if (Boolean.TRUE.equals(job.meta().get("ojs_validate")) && job.args().isEmpty()) {
			throw new JobRejectedException(
					"A job with 'meta.ojs_validate' must have arguments; '%s' has none.".formatted(job.type()));
		}
		return job;
	}

}
