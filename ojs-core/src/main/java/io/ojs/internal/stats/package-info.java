/**
 * Numbers of each minute: how many jobs ended and how, how long they waited and ran.
 */
@NullMarked
package io.ojs.internal.stats;

import org.jspecify.annotations.NullMarked;
