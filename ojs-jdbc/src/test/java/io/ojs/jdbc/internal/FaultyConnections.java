package io.ojs.jdbc.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Connections whose statements fail outside of transactions while a test says so.
 */
final class FaultyConnections extends DelegatingDataSource {

	/** How many were taken. */
	final AtomicInteger taken = new AtomicInteger();

	/** How many statements were prepared outside of transactions. */
	final AtomicInteger plain = new AtomicInteger();

	/** What these fail with. */
	volatile @Nullable SQLException failure;

	/** What the driver says of its connections. */
	volatile boolean valid = true;

	FaultyConnections(DataSource dataSource) {
		super(dataSource);
	}

	@Override
	public Connection getConnection() throws SQLException {
		this.taken.incrementAndGet();
		Connection connection = super.getConnection();
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> {
					if (method.getName().equals("isValid")) {
						return this.valid;
					}
					if (method.getName().equals("prepareStatement") && connection.getAutoCommit()) {
						this.plain.incrementAndGet();
						if (this.failure != null) {
							throw this.failure;
						}
					}
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

}
