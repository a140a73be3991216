/**
 * Tenants in a database: what they have, and may have.
 */
@NullMarked
package io.ojs.jdbc.tenant;

import org.jspecify.annotations.NullMarked;
