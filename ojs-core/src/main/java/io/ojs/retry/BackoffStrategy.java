package io.ojs.retry;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * How the delay grows from one retry to the next (OJS Retry §3).
 */
public enum BackoffStrategy {

	/** The same delay each time. */
	CONSTANT {
		@Override
		double factor(int retry, double coefficient) {
			return 1;
		}
	},

	/** The delay grows by the initial interval each time. */
	LINEAR {
		@Override
		double factor(int retry, double coefficient) {
			return retry;
		}
	},

	/** The delay is multiplied by the coefficient each time. */
	EXPONENTIAL {
		@Override
		double factor(int retry, double coefficient) {
			return Math.pow(coefficient, retry - 1);
		}
	},

	/**
	 * The initial interval is multiplied by the number of the retry to the power of the
	 * coefficient.
	 */
	POLYNOMIAL {
		@Override
		double factor(int retry, double coefficient) {
			return Math.pow(retry, coefficient);
		}
	};

	/**
	 * The factor by which the initial interval is multiplied.
	 * @param retry the number of the retry, from 1
	 * @param coefficient the {@code backoff_coefficient}
	 * @return the factor, possibly infinite
	 */
	abstract double factor(int retry, double coefficient);

	/**
	 * The strategy with this name in JSON.
	 * @param value {@code constant} (or {@code none}), {@code linear},
	 * {@code exponential} or {@code polynomial}
	 * @return the strategy
	 * @throws InvalidRetryPolicyException if there is no such strategy
	 */
	public static BackoffStrategy fromWire(@Nullable String value) {
		if ("none".equals(value)) {
			return CONSTANT;
		}
		for (BackoffStrategy strategy : values()) {
			if (strategy.wireName().equals(value)) {
				return strategy;
			}
		}
		throw new InvalidRetryPolicyException("backoff_strategy", value,
				"must be one of exponential, linear, constant, polynomial");
	}

	/**
	 * The name of this strategy in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
