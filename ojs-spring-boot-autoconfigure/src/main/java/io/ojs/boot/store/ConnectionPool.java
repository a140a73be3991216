package io.ojs.boot.store;

import java.util.OptionalInt;

import javax.sql.DataSource;

import io.ojs.internal.log.SafeLogger;
import org.slf4j.Logger;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.util.ClassUtils;

/**
 * The connection pool that the job store shares with the rest of the application.
 */
final class ConnectionPool {

	/** One connection each for leases, the relay and periodic tasks. */
	private static final int OTHERS = 3;

	private static final Logger logger = SafeLogger.of(ConnectionPool.class);

	private static final boolean KNOWN = ClassUtils.isPresent(
			"org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider",
			ConnectionPool.class.getClassLoader());

	private final DataSource dataSource;

	private final BeanFactory beans;

	/**
	 * Creates it.
	 * @param dataSource the pool
	 * @param beans contain the metadata of pools, if Spring Boot provides it
	 */
	ConnectionPool(DataSource dataSource, BeanFactory beans) {
		this.dataSource = dataSource;
		this.beans = beans;
	}

	/** The largest number of connections; empty if it is unknown. */
	OptionalInt size() {
		return KNOWN ? Pools.size(this.dataSource, this.beans) : OptionalInt.empty();
	}

	/**
	 * Warns if the pool is smaller than the number of connections that can be needed at
	 * once.
	 */
	void check(int consumers) {
		int needed = consumers + OTHERS;
		size().ifPresent((size) -> {
			if (size < needed) {
				logger
					.warn("The connection pool of the job store has {} connections at most; {} can be needed at once, "
							+ "if handlers use transactions: {} by consumers, and {} by leases, relay and housekeeping. "
							+ "Jobs would wait for each other's connections. Set spring.datasource.hikari.maximum-pool-size "
							+ "to {} or more, or the concurrency of queues to less", size, needed, consumers, OTHERS,
							needed);
			}
		});
	}

	/** Separate class, because the types of Spring Boot that it uses may be missing. */
	private static final class Pools {

		static OptionalInt size(DataSource dataSource, BeanFactory beans) {
			DataSourcePoolMetadata pool = new CompositeDataSourcePoolMetadataProvider(
					beans.getBeanProvider(DataSourcePoolMetadataProvider.class).orderedStream().toList())
				.getDataSourcePoolMetadata(dataSource);
			Integer most = (pool != null) ? pool.getMax() : null;
			return (most != null && most > 0) ? OptionalInt.of(most) : OptionalInt.empty();
		}

	}

}
