package io.ojs.cron;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.ForeignText;

/**
 * There is no cron with a name. Nothing was changed.
 */
public class CronNotFoundException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String cron;

	CronNotFoundException(String cron) {
		super(ErrorCode.NOT_FOUND,
				"There is no cron %s. CronJobs.list() tells which there are.".formatted(ForeignText.show(cron)));
		this.cron = cron;
	}

	/**
	 * The name that was asked for.
	 * @return the name
	 */
	public String cron() {
		return this.cron;
	}

}
