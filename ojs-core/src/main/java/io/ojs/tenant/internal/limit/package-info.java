/**
 * Limits of tenants, which are enforced when jobs are enqueued, and fair shares. Not part
 * of the API.
 */
@NullMarked
package io.ojs.tenant.internal.limit;

import org.jspecify.annotations.NullMarked;
