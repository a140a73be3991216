/**
 * Tenants in a database: what they have, compared with their limits. Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.tenant;

import org.jspecify.annotations.NullMarked;
