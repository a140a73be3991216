/**
 * Tenants in a database: what they have, compared with their limits.
 */
@NullMarked
package io.ojs.jdbc.tenant;

import org.jspecify.annotations.NullMarked;
