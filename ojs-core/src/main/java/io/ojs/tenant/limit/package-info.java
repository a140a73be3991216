/**
 * How tenants are kept within their limits when jobs are enqueued.
 */
@NullMarked
package io.ojs.tenant.limit;

import org.jspecify.annotations.NullMarked;
