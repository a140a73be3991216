package io.ojs.cron;

import java.util.Map;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * A cron with this name does not exist. Nothing was changed.
 */
public class CronNotFoundException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String cron;

	/**
	 * Creates the exception.
	 * @param cron the name
	 */
	public CronNotFoundException(String cron) {
		super(ErrorCode.NOT_FOUND,
				"There is no cron %s. CronJobs.list() tells which there are.".formatted(ForeignText.show(cron)));
		this.cron = cron;
	}

	/**
	 * Returns the name in the request.
	 * @return the name
	 */
	public String cron() {
		return this.cron;
	}

	@Override
	public Map<String, @Nullable Object> details() {
		return Map.of("resource_type", "cron", "resource_id", this.cron);
	}

}
