package io.ojs.benchmark.contender;

import org.quartz.Job;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;

/** The job of Quartz, which creates one for each run. */
public final class QuartzJob implements Job {

	/** Set before jobs are worked; one per process. */
	static volatile Handler handler = (sentAt) -> {
	};

	/** Created by Quartz. */
	public QuartzJob() {
	}

	static JobDataMap data(Payload job) {
		JobDataMap data = new JobDataMap();
		data.put("sentAt", String.valueOf(job.sentAt()));
		data.put("text", job.text());
		return data;
	}

	@Override
	public void execute(JobExecutionContext context) {
		handler.handle(context.getTrigger().getJobDataMap().getLongFromString("sentAt"));
	}

}
