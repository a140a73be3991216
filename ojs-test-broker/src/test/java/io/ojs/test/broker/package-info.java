@NullMarked
package io.ojs.test.broker;

import org.jspecify.annotations.NullMarked;
