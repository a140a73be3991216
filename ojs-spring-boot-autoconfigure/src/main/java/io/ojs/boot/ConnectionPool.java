package io.ojs.boot;

import java.util.OptionalInt;

import javax.sql.DataSource;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.util.ClassUtils;

/**
 * The connections that jobs share with the rest of the application.
 */
final class ConnectionPool {

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
