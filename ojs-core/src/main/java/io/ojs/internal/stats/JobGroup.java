package io.ojs.internal.stats;

import io.ojs.job.Job;
import io.ojs.tenant.Tenants;

/**
 * Jobs that are counted together.
 *
 * @param tenant the tenant of the jobs; empty without one
 */
public record JobGroup(String queue, String type, String tenant) {

	/** The group of the jobs that are in none of the groups of their minute. */
	static final JobGroup OTHER = new JobGroup("other", "other", "");

	static JobGroup of(Job job) {
		return new JobGroup(job.queue(), job.type(), Tenants.of(job).orElse(""));
	}

}
