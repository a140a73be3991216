/**
 * Limits on how many jobs run at once, or start in a period, over all processes (OJS Rate
 * Limiting). Not part of the API.
 */
@NullMarked
package io.ojs.internal.rate;

import org.jspecify.annotations.NullMarked;
