package io.ojs.benchmark.contender;

import io.ojs.handler.OjsJobHandler;

/** The handler of an application under measurement. */
class BenchJobs {

	/** Set before the application starts; one per process, as the application is. */
	static volatile Handler handler = (sentAt) -> {
	};

	@OjsJobHandler(value = OjsJobs.TYPE, queue = Site.QUEUE)
	void run(long sentAt, String text) {
		handler.handle(sentAt);
	}

}
