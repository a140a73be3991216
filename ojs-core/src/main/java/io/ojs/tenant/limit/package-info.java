/**
 * Limits of tenants, which are enforced when jobs are enqueued, and fair shares.
 */
@NullMarked
package io.ojs.tenant.limit;

import org.jspecify.annotations.NullMarked;
