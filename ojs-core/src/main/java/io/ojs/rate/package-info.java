/**
 * How many jobs may run at once, or start in a time, across all processes (OJS Rate
 * Limiting).
 */
@NullMarked
package io.ojs.rate;

import org.jspecify.annotations.NullMarked;
