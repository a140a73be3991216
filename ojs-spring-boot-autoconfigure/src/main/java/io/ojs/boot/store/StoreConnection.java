package io.ojs.boot.store;

import javax.sql.DataSource;

import io.ojs.boot.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;

/**
 * Chooses the data source and the transaction manager of the job store.
 */
final class StoreConnection {

	private final @Nullable DataSource marked;

	private final DataSource dataSource;

	/**
	 * Chooses the data source.
	 * @param ofJobs the data source that is marked for jobs
	 * @param ofApplication all other data sources
	 */
	StoreConnection(ObjectProvider<DataSource> ofJobs, ObjectProvider<DataSource> ofApplication) {
		this.marked = ofJobs.getIfAvailable();
		this.dataSource = (this.marked != null) ? this.marked : ofApplication.getObject();
	}

	DataSource dataSource() {
		return this.dataSource;
	}

	/**
	 * Chooses the transaction manager: the one that is marked, or else the application's,
	 * unless only the data source is marked. If there is none, it creates one.
	 * @param ofJobs the transaction manager that is marked for jobs
	 * @param ofApplication all other transaction managers
	 * @return the transaction manager
	 * @throws InvalidConfigurationException if there are several and none is marked or
	 * primary, or if it is for another data source
	 */
	PlatformTransactionManager transactionManager(ObjectProvider<PlatformTransactionManager> ofJobs,
			ObjectProvider<PlatformTransactionManager> ofApplication) {
		PlatformTransactionManager forJobs = ofJobs.getIfAvailable();
		if (forJobs != null) {
			return check(forJobs);
		}
		if (this.marked != null || ofApplication.stream().findAny().isEmpty()) {
			return new JdbcTransactionManager(this.dataSource);
		}
		PlatformTransactionManager only = ofApplication.getIfUnique();
		if (only == null) {
			throw new InvalidConfigurationException("ojs.store.enabled", true,
					"there are several transaction managers, and none is @Primary or marked with @OjsDataSource",
					"Mark the one whose transactions jobs are to be part of with @OjsDataSource, or set it to false.");
		}
		return check(only);
	}

	private PlatformTransactionManager check(PlatformTransactionManager manager) {
		if (manager instanceof ResourceTransactionManager resource
				&& resource.getResourceFactory() instanceof DataSource other && other != this.dataSource) {
			throw new InvalidConfigurationException("ojs.store.enabled", true,
					"the transaction manager is for another data source than jobs are kept in",
					"Mark the data source of the transaction manager with @OjsDataSource, or the transaction manager "
							+ "of the data source, or set it to false.");
		}
		return manager;
	}

}
