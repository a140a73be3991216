/**
 * Workers that fetch jobs over HTTP (OJS Worker Protocol): their heartbeats, their runs,
 * and the outcomes of these.
 */
@NullMarked
package io.ojs.worker;

import org.jspecify.annotations.NullMarked;
