/**
 * Auto-configuration of tenants: their limits, and their shares of a queue.
 */
@NullMarked
package io.ojs.boot.tenant;

import org.jspecify.annotations.NullMarked;
