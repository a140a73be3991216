/**
 * Limits on how many jobs run at once, or start in a period, over all processes (OJS Rate
 * Limiting).
 */
@NullMarked
package io.ojs.rate;

import org.jspecify.annotations.NullMarked;
