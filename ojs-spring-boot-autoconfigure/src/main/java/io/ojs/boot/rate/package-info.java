/**
 * Auto-configuration of rate limits.
 */
@NullMarked
package io.ojs.boot.rate;

import org.jspecify.annotations.NullMarked;
