package io.ojs.boot;

import java.util.OptionalInt;

import javax.sql.DataSource;

import io.ojs.log.SafeLogger;
import org.slf4j.Logger;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.util.ClassUtils;

/**
 * The connections that jobs share with the rest of the application.
 */
final class ConnectionPool {

	/** That of leases, and those of the relay and of what is done from time to time. */
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
	 * @param beans know pools, if Spring Boot has made them
	 */
	ConnectionPool(DataSource dataSource, BeanFactory beans) {
		this.dataSource = dataSource;
		this.beans = beans;
	}

	/** How many connections it has at most; empty if that is not known. */
	OptionalInt size() {
		return KNOWN ? Pools.size(this.dataSource, this.beans) : OptionalInt.empty();
	}

	/** Warns if it has fewer connections than can be needed at once. */
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

	/** What Spring Boot knows, which may not be there. */
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
