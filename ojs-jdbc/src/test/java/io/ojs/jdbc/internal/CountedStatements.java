package io.ojs.jdbc.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * A way to the same database on which statements are counted.
 */
final class CountedStatements {

	private final List<String> texts = new CopyOnWriteArrayList<>();

	/** Of them, those that are transactions by themselves. */
	private final AtomicInteger plain = new AtomicInteger();

	private final JdbcTransactionManager transactionManager;

	private final StoreDatabase database;

	CountedStatements(StoreDatabase database) {
		DataSource counting = new DelegatingDataSource(database.dataSource()) {

			@Override
			public Connection getConnection() throws SQLException {
				return counted(super.getConnection());
			}

		};
		this.transactionManager = new JdbcTransactionManager(counting);
		this.database = new StoreDatabase(counting, this.transactionManager, database.options());
		// Not asked by those who want no transaction.
		this.database.dialect();
	}

	private Connection counted(Connection connection) {
		return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
				new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("prepareStatement")) {
						this.texts.add((String) arguments[0]);
						this.plain.addAndGet(connection.getAutoCommit() ? 1 : 0);
					}
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	StoreDatabase database() {
		return this.database;
	}

	JdbcTransactionManager transactionManager() {
		return this.transactionManager;
	}

	int count() {
		return this.texts.size();
	}

	/** All of them, as they were prepared. */
	List<String> texts() {
		return List.copyOf(this.texts);
	}

	/** How many were no part of a transaction. */
	int plain() {
		return this.plain.get();
	}

	void reset() {
		this.texts.clear();
		this.plain.set(0);
	}

}
